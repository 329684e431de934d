package install_test

import "syscall"

// remountReadOnly makes a disk of its own read-only.
func remountReadOnly(disk string) error {
	return syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
}
