//go:build unix

package regularfile

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// CopyOwner gives a file the owner and the group of another. A group that the user may not give is
// left out where it has no right to the other file that everybody doesn't have.
func CopyOwner(path string, of fs.FileInfo) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	is, known := info.Sys().(*syscall.Stat_t)
	want, too := of.Sys().(*syscall.Stat_t)
	if !known || !too || is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	group, others := of.Mode().Perm()>>3&7, of.Mode().Perm()&7
	if err := os.Chown(path, int(want.Uid), int(want.Gid)); err != nil && (is.Uid != want.Uid || group&^others != 0) {
		return fmt.Errorf("keep the owner of the file: %w", err)
	}
	return nil
}

// SyncFolder writes the names in a folder to the disk. Some file systems can't.
func SyncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
