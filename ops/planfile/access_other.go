//go:build !unix

package planfile

import "io/fs"

// sharedWith is empty: the permissions that Go shows here say nothing.
func sharedWith(fs.FileInfo) string { return "" }
