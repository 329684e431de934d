//go:build !unix

package loopback

import "io/fs"

// isPrivate reports whether a file is a regular one. Who may read it, its permission bits don't
// tell here: it lies in the user's own folder.
func isPrivate(info fs.FileInfo) bool { return info.Mode().IsRegular() }
