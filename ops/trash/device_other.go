//go:build !unix

package trash

import "os"

// sameDevice reports whether two files lie on one disk, as far as the system tells.
func sameDevice(_, _ os.FileInfo) bool { return true }
