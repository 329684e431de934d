//go:build unix

package leftover

import (
	"os"
	"syscall"
)

// lock takes the lock on a file, which ends when the file is closed or the process ends.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// isFree reports whether it is sure that no process holds the lock on a file.
func isFree(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return lock(f) == nil
}

// isLocked reports whether a process is known to hold the lock on a file.
func isLocked(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return lock(f) != nil
}

// renamed returns an open file under its new name. The lock stays with the open file.
func renamed(f *os.File, path string) (*os.File, error) {
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), path), f.Close()
}
