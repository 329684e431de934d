// Package atomicfile writes files whole or not at all: the content is written under another name in the same
// folder, reaches the disk, and then gets the file's name. It must know nothing of what the files hold.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lcm-tui/internal/leftover"
	"lcm-tui/internal/regularfile"
)

// Options say what a written file is like.
type Options struct {
	Mode      fs.FileMode // Its permissions; 0 means 0600, private to the user.
	Replace   bool        // It may replace what has its name; a link is replaced and not followed. Else that is an fs.ErrExist.
	KeepOwner bool        // Where it replaces a regular file, it keeps the owner, the group and the permissions of that.
}

// File is the content of a file that has no name yet.
type File struct {
	*os.File
	path string
	o    Options
}

// Create begins a file. Nobody sees it before Commit; Discard removes it until then.
func Create(path string, o Options) (*File, error) {
	if !o.Replace {
		if err := checkVacant(path); err != nil {
			return nil, err
		}
	}
	part, err := leftover.CreateFile(filepath.Dir(path), "."+filepath.Base(path))
	if err != nil {
		return nil, err
	}
	if o.Mode == 0 {
		o.Mode = 0o600
	}
	return &File{part, path, o}, nil
}

// Commit gives the file its name. Where that fails, what had the name stays.
func (f *File) Commit() error {
	err := errors.Join(f.setMode(), f.Sync(), f.Close())
	switch {
	case err != nil:
	case f.o.Replace:
		err = os.Rename(f.Name(), f.path)
	default:
		err = Rename(f.Name(), f.path)
	}
	if err == nil {
		regularfile.SyncFolder(filepath.Dir(f.path))
	}
	f.Discard()
	return err
}

// setMode gives the new content its permissions, and the owner of the file that it replaces.
func (f *File) setMode() error {
	if f.o.KeepOwner {
		old, err := os.Lstat(f.path)
		if err == nil && old.Mode().IsRegular() {
			return regularfile.KeepOwner(f.Name(), old)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return f.Chmod(f.o.Mode)
}

// Discard removes the content, unless Commit has given it its name.
func (f *File) Discard() {
	_ = f.Close() // Commit has closed it before.
	_ = os.Remove(f.Name())
}

// Write writes a file whole or not at all.
func Write(path string, content []byte, o Options) error {
	f, err := Create(path, o)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Commit()
}

// Rename gives a file another name, which is an fs.ErrExist where something has it. A link can't replace a file that
// came in the meantime; where the file system has no links, a look has to do. The old name may stay.
func Rename(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := checkVacant(to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// checkVacant fails where something has a name.
func checkVacant(path string) error {
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%s: %w", path, fs.ErrExist)
}
