//go:build unix

package filesystem

import "syscall"

// MayWrite reports whether this user may write to a file or folder. It asks the system
// without opening it.
func MayWrite(path string) bool {
	const write = 2 // W_OK
	return syscall.Access(path, write) == nil
}
