//go:build linux || darwin || freebsd

package filesystem

import (
	"os"
	"syscall"
)

// FreeSpace returns how many bytes this user may still write to the disk of a folder. It isn't
// known where the system doesn't tell.
func FreeSpace(folder string) (bytes int64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true //nolint:gosec,unconvert // The types differ between systems.
}

// SameDisk reports whether two folders are known to be on one disk.
func SameDisk(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	if err != nil {
		return false
	}
	x, known := first.Sys().(*syscall.Stat_t)
	y, too := second.Sys().(*syscall.Stat_t)
	return known && too && x.Dev == y.Dev
}
