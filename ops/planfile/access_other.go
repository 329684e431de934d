//go:build !unix

package planfile

import "io/fs"

// sharedWith returns nothing: the permissions that Go shows here say nothing.
func sharedWith(fs.FileInfo) string { return "" }
