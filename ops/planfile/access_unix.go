//go:build unix

package planfile

import (
	"io/fs"
	"os"
	"syscall"
)

// sharedWith says who else could have written a file; empty is nobody.
func sharedWith(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		return "it belongs to another user"
	}
	if info.Mode().Perm()&0o022 != 0 {
		return "others than its owner may write to it"
	}
	return ""
}
