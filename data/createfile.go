package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/leftover"
	"lcm-tui/internal/regularfile"
)

// ErrExists says that a new file would overwrite one.
var ErrExists = errors.New("there is a file already")

// ErrOwnFile says that a new file would stand where SQLite keeps a file of a database.
var ErrOwnFile = errors.New("this name belongs to a file that SQLite keeps beside a database")

// sidecarSuffixes end the names of the files that SQLite keeps beside a database.
var sidecarSuffixes = []string{WALSuffix, "-shm", "-journal"}

// FilesOf returns the paths of a database and of what SQLite keeps beside it, there or not.
func FilesOf(path string) []string {
	out := []string{path}
	for _, suffix := range sidecarSuffixes {
		out = append(out, path+suffix)
	}
	return out
}

// SidecarOf returns the file that SQLite would take a path for a part of: the path is its name with
// the end -wal, -shm or -journal. Some file systems don't tell upper case from lower.
func SidecarOf(path string) (database string, ok bool) {
	for _, suffix := range sidecarSuffixes {
		at := len(path) - len(suffix)
		if at > 0 && strings.EqualFold(path[at:], suffix) && HasFile(path[:at]) {
			return path[:at], true
		}
	}
	return "", false
}

// CreateDatabase builds a new database file that is private to the user. build writes it under
// another name in the same folder, where the next run removes it if this one is killed; the file gets
// its name only when build returns nil, and never replaces another: then the error is ErrExists. A name
// that SQLite would take for a part of another database is ErrOwnFile. It returns the size in bytes.
func CreateDatabase(verb, to string, build func(path string) error) (bytes int64, err error) {
	if database, ok := SidecarOf(to); ok {
		return 0, fmt.Errorf("%s to %s: %w: %s", verb, to, ErrOwnFile, database)
	}
	for _, path := range FilesOf(to) { // What was left of another database would be taken for the new one's.
		switch _, err := os.Lstat(path); {
		case err == nil:
			return 0, fmt.Errorf("%s to %s: %w", verb, path, ErrExists)
		case !errors.Is(err, fs.ErrNotExist):
			return 0, fmt.Errorf("%s: %w", verb, err)
		}
	}
	part, err := leftover.CreateFile(filepath.Dir(to), filepath.Base(to))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", verb, err)
	}
	defer part.Close() // SQLite has closed it by then.
	defer RemoveDatabase(part.Name())
	if err := build(part.Name()); err != nil {
		var own *Error
		switch {
		case errors.As(err, &own) && own.Path == part.Name(): // Nobody but this function knows that name.
			return 0, &Error{Path: to, Verb: verb + " to", Kind: own.Kind, Err: err, hint: own.hint}
		case errors.Is(err, syscall.ENOSPC): // Of a file that SQLite didn't write.
			return 0, &Error{Path: to, Verb: verb + " to", Kind: ErrFull, Err: err}
		case errors.Is(ErrorKind(err), ErrFull):
			return 0, WrapError(to, verb+" to", err)
		}
		return 0, err
	}
	info, err := os.Stat(part.Name())
	if err != nil {
		return 0, fmt.Errorf("%s: %w", verb, err)
	}
	return info.Size(), giveNewName(verb, part.Name(), to)
}

// giveNewName gives a file its name, and never replaces another.
func giveNewName(verb, part, to string) error {
	err := atomicfile.Rename(part, to)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s to %s: %w", verb, to, ErrExists)
	case err != nil:
		return fmt.Errorf("%s: %w", verb, err)
	}
	regularfile.SyncFolder(filepath.Dir(to))
	return nil
}

// CheckRoom fails with ErrFull where the disk of a folder is known to have less room than the bytes that are needed.
// What to do about it is next, and onScreen where no command can be typed.
func CheckRoom(folder string, needed int64, next, onScreen string) error {
	free, known := filesystem.FreeSpace(folder)
	if !known || free >= needed {
		return nil
	}
	of, there := humanize.Bytes(uint64(needed)), humanize.Bytes(uint64(max(0, free)))
	if of == there {
		of, there = humanize.Comma(needed)+" bytes", humanize.Comma(free)+" bytes"
	}
	return &hint.Error{
		Text: fmt.Sprintf("%s of free disk are needed in %s, and there are %s", of, folder, there), Next: next, OnScreen: onScreen, Err: ErrFull,
	}
}
