//go:build !unix

package data

// mayWrite can't be asked here; trying tells.
func mayWrite(string) bool { return true }
