// Package leftover makes files and folders that a process needs for a while, and removes those whose
// process was killed. The process holds a lock on each, which ends with it: a file whose lock is free is
// nobody's. It must not touch a file that it can't be sure of, such as one of an older version.
package leftover

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"
)

const (
	mark     = ".lcm-tui-" // Stands in the names of files whose process holds a lock on them.
	ending   = ".part"
	lockName = ".lock" // The file in a folder on which its process holds a lock.
	// FolderPrefix begins the names of folders.
	FolderPrefix = "lcm-tui-"
)

var (
	marked = lazyregexp.New(`\.lcm-tui-\d+\.part$`)

	mu  sync.Mutex
	own = map[string]*os.File{} // Those of this process, which it must not open again. Nil of files that others close.
)

// CreateFile makes a file beside others, private to the user, and first removes those that killed
// processes left there. Its name begins with the given one. Closing it gives the lock up; that comes after
// it got another name or was removed.
func CreateFile(folder, name string) (*os.File, error) {
	Remove(Abandoned(folder)...)
	f, err := os.CreateTemp(folder, name+".*"+ending)
	if err != nil {
		return nil, inFolder("make a file in", folder, err)
	}
	if lock(f) != nil { // Nobody could tell whether it is in use, so it isn't marked.
		remember(f.Name(), nil)
		return f, nil
	}
	path := f.Name()
	random := strings.TrimPrefix(filepath.Base(path), name+".")
	to := filepath.Join(folder, name+mark+random)
	remember(to, nil)
	if err := os.Rename(path, to); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	named, err := renamed(f, to)
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(to))
	}
	return named, nil
}

// inFolder names the folder in an error, in the place of the name that only this package has given, and
// says what to do.
func inFolder(verb, folder string, err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		err = &fs.PathError{Op: verb, Path: folder, Err: e.Err}
	}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return hint.Wrap(err, "make the folder writable, or write to another one")
	case errors.Is(err, fs.ErrNotExist):
		return hint.Wrap(err, "make the folder first, or write to another one")
	}
	return err
}

// CreateFolder makes a folder for temporary files, which only this user may enter, and first removes
// those that killed processes left. RemoveFolder removes it.
func CreateFolder(name string) (path string, err error) { return CreateFolderIn(os.TempDir(), name) }

// CreateFolderIn does the same in a folder. RenameFolder lets it stay.
func CreateFolderIn(folder, name string) (path string, err error) {
	Remove(Abandoned(folder)...)
	path, err = os.MkdirTemp(folder, FolderPrefix+name+"-")
	if err != nil {
		return "", inFolder("make a folder in", folder, err)
	}
	f, err := os.OpenFile(filepath.Join(path, lockName+".new"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(path))
	}
	remember(path, f)
	if lock(f) != nil {
		return path, nil
	}
	if err := os.Rename(f.Name(), filepath.Join(path, lockName)); err != nil {
		return "", errors.Join(err, RemoveFolder(path))
	}
	return path, nil
}

// RemoveFolder removes a folder that CreateFolder made.
func RemoveFolder(path string) (err error) {
	mu.Lock()
	f := own[path]
	delete(own, path)
	mu.Unlock()
	if f != nil {
		err = f.Close()
	}
	return errors.Join(err, os.RemoveAll(path))
}

// RenameFolder gives a folder that CreateFolderIn made the name under which it stays.
func RenameFolder(path, to string) error {
	for _, name := range []string{lockName, lockName + ".new"} { // Without the first, nobody takes it for abandoned.
		if err := os.Remove(filepath.Join(path, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(path, to)
}

func remember(path string, f *os.File) {
	mu.Lock()
	defer mu.Unlock()
	own[path] = f
}

// isOwn reports whether this process made it.
func isOwn(path string) bool {
	mu.Lock()
	defer mu.Unlock()
	_, is := own[path]
	return is
}

// Abandoned returns the files and folders in a folder whose processes are gone.
func Abandoned(folder string) (paths []string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil // Nothing is known of it.
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		locked := path
		switch {
		case e.Type().IsRegular() && marked.MatchString(e.Name()):
		case e.IsDir() && strings.HasPrefix(e.Name(), FolderPrefix):
			locked = filepath.Join(path, lockName)
		default:
			continue
		}
		if !isOwn(path) && isFree(locked) {
			paths = append(paths, path)
		}
	}
	return paths
}

// InUse reports whether a process is at work, or may be, on a file in a folder that CreateFile made with a name.
func InUse(folder, name string) bool {
	gone := Abandoned(folder)
	entries, err := os.ReadDir(folder)
	return err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), name+".") && strings.HasSuffix(e.Name(), ending) && !slices.Contains(gone, filepath.Join(folder, e.Name()))
	})
}

// Remove removes files, with what SQLite keeps beside them, and folders. What can't be removed stays.
func Remove(paths ...string) {
	for _, path := range paths {
		for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
			_ = os.RemoveAll(path + suffix)
		}
	}
}

// Found returns the unfinished files beside a database, and the folders for temporary files, that no process
// is known to use: the abandoned ones, and those of which it can't be known.
func Found(path string) (paths []string) {
	base := filepath.Base(path)
	each := func(folder string, is func(e os.DirEntry) (locked string)) {
		entries, err := os.ReadDir(folder)
		for _, e := range entries {
			locked := is(e)
			if err != nil || locked == "" {
				continue
			}
			file := filepath.Join(folder, e.Name())
			mayBeLocked := e.IsDir() || marked.MatchString(e.Name()) // Others aren't opened: they may be a name of the database.
			if isOwn(file) || mayBeLocked && isLocked(filepath.Join(folder, locked)) {
				continue
			}
			paths = append(paths, file)
		}
	}
	each(filepath.Dir(path), func(e os.DirEntry) string {
		name := strings.TrimPrefix(e.Name(), ".")
		if e.Type().IsRegular() && strings.HasPrefix(name, base+".") && (strings.HasSuffix(name, ending) || strings.HasSuffix(name, replacedEnding)) {
			return e.Name()
		}
		return ""
	})
	each(os.TempDir(), func(e os.DirEntry) string {
		if e.IsDir() && strings.HasPrefix(e.Name(), FolderPrefix) {
			return filepath.Join(e.Name(), lockName)
		}
		return ""
	})
	return paths
}

// replacedEnding ends the second name that a file has while a compacted copy takes its place.
const replacedEnding = ".old"
