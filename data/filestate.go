package data

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/leftover"
)

// A file that is open may be deleted, renamed or replaced: the connections that there are go
// on with the old one, while a new connection would open what stands at the path now. So
// the handle remembers which file it opened, and reads and writes no other.

// openedFile is the file at a path, as it was when it was opened.
type openedFile struct {
	path   string
	file   string // What is read: the file itself, or a private copy of it.
	copied bool   // It is a copy.
	// isOthers says that the file is a copy of another machine's database.
	isOthers bool
	replica  *Replica    // Set where there is no file here.
	opened   os.FileInfo // What stood at the path when it was opened.

	journal string // The mode of its journal, in which it stays while it is open, such as wal.

	// Holders finds the other processes that have the file open. Tests set it.
	Holders func(path string) filesystem.Holders
}

// findHolders finds the other processes that have the file open: by the files that processes show, and of a file in WAL
// mode by the lock of a connection where not all processes show theirs.
func (f *openedFile) findHolders(path string) filesystem.Holders {
	shown := filesystem.HoldersOf(path)
	if f.journal != walMode || len(shown.Names) > 0 || path != f.path {
		return shown
	}
	if locked := filesystem.WALHolders(path); locked.Known {
		return locked
	}
	return shown
}

// walMode is how SQLite calls the journal of hosts.
const walMode = "wal"

// Path returns the absolute path of the file.
func (f *openedFile) Path() string { return f.path }

// Size returns the size of the file and its -wal in bytes.
func (f *openedFile) Size() (n int64) {
	if f.replica != nil {
		return f.replica.Bytes
	}
	for _, p := range []string{f.path, f.path + WALSuffix} {
		if info, err := os.Stat(p); err == nil {
			n += info.Size()
		}
	}
	return n
}

// CheckPath fails if the file that was opened no longer stands at its path: with an *Error of
// kind ErrVanished where nothing stands there, ErrReplaced where another file does, and
// ErrEmptied where nothing is left in it. It only asks for the file's metadata.
func (f *openedFile) CheckPath() error {
	kind, err := f.pathKind()
	if kind == nil {
		return nil
	}
	return &Error{Path: f.path, Verb: "read", Kind: kind, Err: err}
}

func (f *openedFile) pathKind() (kind, err error) {
	if f.opened == nil {
		return nil, nil
	}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrVanished, err
	case errors.Is(err, fs.ErrPermission):
		return ErrPermission, err
	case err != nil:
		return ErrIO, err
	case !os.SameFile(info, f.opened):
		return ErrReplaced, nil
	case info.Size() == 0 && f.opened.Size() > 0 && !hasWAL(f.path):
		return ErrEmptied, nil
	}
	return nil, nil
}

// sameFile refuses a new connection to another file than the one that was opened. A private
// copy is nobody else's.
func (f *openedFile) sameFile() error {
	if f.copied {
		return nil
	}
	return f.CheckPath()
}

// Wrap puts a failure of SQLite, which came while doing verb, into words. Where the file isn't what was opened, that is
// the reason, and where it is locked, those who have it open are named.
func (f *openedFile) Wrap(verb string, err error) error {
	if f.replica != nil {
		return f.replica.Wrap(verb, err)
	}
	err = WrapError(f.path, verb, err)
	var e *Error
	if !errors.As(err, &e) || e.Err == nil {
		return err
	}
	switch {
	case errors.Is(e.Kind, ErrLocked) && e.hint == "":
		return &Error{Path: e.Path, Verb: e.Verb, Kind: e.Kind, Err: e.Err, hint: lockHint(f.holderNames(), e.Hint())}
	case slices.Contains([]error{ErrPermission, ErrRefused, ErrDamaged, ErrIO, ErrNotSQLite}, e.Kind):
		if kind, _ := f.pathKind(); kind != nil {
			return &Error{Path: e.Path, Verb: e.Verb, Kind: kind, Err: e.Err}
		}
	}
	return err
}

// lockHint puts who has the file open before what to do about it.
func lockHint(names, hint string) string {
	if names == "" {
		return hint
	}
	return strings.TrimSuffix(names, ".") + "; " + hint
}

// holderNames says which other programs have the file open, as a sentence, or nothing where
// that isn't known.
func (f *openedFile) holderNames() string {
	if f.Holders == nil {
		return ""
	}
	switch names := f.Holders(f.path).Names; len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " has the file open."
	default:
		return strings.Join(names, ", ") + " have the file open."
	}
}

// checkPermissions judges by permissions alone: trying would open the file.
func (f *openedFile) checkPermissions() error {
	info, err := os.Stat(f.path)
	if err != nil {
		return &Error{Path: f.path, Verb: "write", Kind: ErrMissing, Err: err}
	}
	if info.Mode().Perm()&0o222 == 0 || !filesystem.MayWrite(f.path) || !filesystem.MayWrite(filepath.Dir(f.path)) && !HasFile(f.path+WALSuffix) {
		return &Error{Path: f.path, Verb: "write", Kind: ErrReadOnly}
	}
	return nil
}

// dropCopy removes the private copy, if there is one.
func (f *openedFile) dropCopy() error {
	if !f.copied {
		return nil
	}
	return leftover.RemoveFolder(filepath.Dir(f.file))
}
