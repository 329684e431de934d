//go:build !linux

package install_test

import "os"

// remountReadOnly stands for a disk that is made read-only.
func remountReadOnly(disk string) error { return os.Chmod(disk, 0o500) }
