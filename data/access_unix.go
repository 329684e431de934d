//go:build unix

package data

import "syscall"

// mayWrite reports whether this user may write to a file or folder. It asks the system
// without opening it.
func mayWrite(path string) bool {
	const write = 2 // W_OK
	return syscall.Access(path, write) == nil
}
