//go:build linux || darwin || freebsd

package data

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// SyncFile has the disk keep what was written to a file or a folder. No handle of a database may be
// open on the file.
func SyncFile(path string) error {
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// LockBytes takes the lock on a file that an SQLite connection takes to be alone, without SQLite: for
// a file that it doesn't open. The error is of kind ErrInUse where another process has it. No other
// handle of this process may be open on the file.
func LockBytes(path string) (release func() error, err error) {
	f, err := os.OpenFile(filepath.Clean(path), os.O_RDWR, 0)
	if err != nil {
		return nil, &Error{Path: path, Verb: "lock", Kind: ErrPermission, Err: err}
	}
	// The bytes at 1 GiB are those that SQLite locks in every file.
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: 1 << 30, Len: 512}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &lock); err != nil {
		return nil, errors.Join(inUse(path, err), f.Close())
	}
	return f.Close, nil
}
