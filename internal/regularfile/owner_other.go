//go:build !unix

package regularfile

import "io/fs"

// CopyOwner does nothing: a new file has the owner of its folder.
func CopyOwner(string, fs.FileInfo) error { return nil }

// SyncFolder does nothing: a folder can't be written to the disk by itself.
func SyncFolder(string) {}
