//go:build linux || darwin || freebsd

package filesystem

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
)

// Every connection to a database in WAL mode, an idle one too, has a shared lock on a byte of its -shm: 128, as SQLite's
// format of the file says. The system tells whether another process has a lock there, of whichever user, and in
// whichever container.
const sharedByte = 128

// sharedFiles are the -shm files that were asked about, by their paths. Closing a handle of a file drops the locks that this
// process has on it, those of its own connections too. So a handle stays open until its file is deleted.
var sharedFiles = struct {
	sync.Mutex
	open map[string]*os.File
}{open: map[string]*os.File{}}

// WALHolders finds another process that has a database in WAL mode open, by its lock. A connection of this process is
// open, too: without one there may be no lock although others have the file open. It isn't known where there is no -shm.
// At most one process is named.
func WALHolders(path string) Holders {
	sharedFiles.Lock()
	defer sharedFiles.Unlock()
	resolved, err := filepath.EvalSymlinks(path) // Beside which SQLite has it.
	if err != nil {
		return Holders{}
	}
	f := sharedFile(resolved + "-shm")
	if f == nil {
		return Holders{}
	}
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: sharedByte, Len: 1}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lock); err != nil {
		return Holders{}
	}
	if lock.Type == syscall.F_UNLCK {
		return Holders{Known: true}
	}
	return Holders{Known: true, Names: []string{processName(int(lock.Pid))}}
}

// sharedFile returns a handle of a -shm that stands at its path now, or nil. Handles of deleted files are closed.
func sharedFile(path string) *os.File {
	for at, f := range sharedFiles.open {
		if info, err := f.Stat(); err == nil && links(info) == 0 && f.Close() == nil {
			delete(sharedFiles.open, at)
		}
	}
	now, err := os.Lstat(path)
	if err != nil || !now.Mode().IsRegular() {
		return nil
	}
	if f := sharedFiles.open[path]; f != nil {
		if info, err := f.Stat(); err == nil && os.SameFile(info, now) {
			return f
		}
		return nil // It was moved away; its handle stays.
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // It stands beside a database of the user.
	if err != nil {
		return nil
	}
	sharedFiles.open[path] = f
	return f
}

// links returns how many names a file has; 0 is that it was deleted.
func links(info os.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink) //nolint:unconvert // Its type is another one on each system.
	}
	return 1
}

// processName names a process by its number; 0 and less are one of another container.
func processName(pid int) string {
	if pid <= 0 {
		return "another process"
	}
	return nameOf(pid) + " (process " + strconv.Itoa(pid) + ")"
}
