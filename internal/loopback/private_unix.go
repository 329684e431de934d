//go:build unix

package loopback

import "io/fs"

// isPrivate reports whether a file is a regular one that nobody but its owner may read.
func isPrivate(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && info.Mode().Perm()&0o077 == 0
}
