package testdb

import (
	"fmt"
	"syscall"
	"testing"
)

// Disk returns a folder on a disk of its own of so many bytes; where this user can't make
// one, the test is skipped.
func Disk(t testing.TB, size int) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("no small disks here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}
