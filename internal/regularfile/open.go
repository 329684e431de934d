// Package regularfile opens, reads, copies, creates and rewrites regular files only: where a pipe or a device stands in the
// place of one, opening or reading it could wait for ever. It must know nothing of what
// the files hold.
package regularfile

import (
	"errors"
	"io"
	"os"
)

// ErrNotRegular says that something else than a regular file stands there.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file for reading; anything else is ErrNotRegular. It returns at
// once also where a pipe stands there.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	return checked(f, err)
}

// OpenIn works as Open for a file in a folder that it can't leave.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	return checked(f, err)
}

// checked closes the file unless it is a regular one. It asks the open file, so that no
// other can take its place in between.
func checked(f *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read reads at most limit bytes of a regular file.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
