package ops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that has to be there before the rows that name it.
type File struct {
	Path string
	Body string
}

// writeFiles makes files that only their owner may read. Those that are there
// already with the same content stay. What it made it removes again when undo is
// called.
func writeFiles(files []File) (undo func(), err error) {
	var made []string
	undo = func() {
		for _, path := range made {
			_ = os.Remove(path) // What can't be removed lies there unnamed, which harms nobody.
		}
	}
	for _, f := range files {
		fresh, err := f.write()
		if err != nil {
			undo()
			return nil, fmt.Errorf("write file: %w", err)
		}
		if fresh {
			made = append(made, f.Path)
		}
	}
	return undo, nil
}

// write makes the file and says whether it's new.
func (f File) write() (fresh bool, err error) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return false, err
	}
	h, err := os.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, f.matches()
	}
	if err != nil {
		return false, err
	}
	_, err = h.WriteString(f.Body)
	if err = errors.Join(err, h.Sync(), h.Close()); err != nil {
		_ = os.Remove(f.Path)
		return false, err
	}
	return true, nil
}

// matches looks whether a file that exists is the one that is wanted, as after a
// run that was broken off.
func (f File) matches() error {
	b, err := os.ReadFile(f.Path)
	if err == nil && string(b) != f.Body {
		err = &fs.PathError{Op: "write", Path: f.Path, Err: errors.New("another file is there")}
	}
	return err
}
