//go:build unix

package trash

import (
	"os"
	"syscall"
)

// sameDevice reports whether two files lie on one disk, as far as the system tells.
func sameDevice(a, b os.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return !ok || !ok2 || x.Dev == y.Dev
}
