//go:build !unix

package filesystem

// MayWrite can't be asked here; trying tells.
func MayWrite(string) bool { return true }
