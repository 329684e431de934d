//go:build unix

package atomicfile_test

import (
	"os"
	"syscall"
	"testing"

	"lcm-tui/internal/atomicfile"
)

func TestReplacedFileKeepsItsOwner(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root may give a file away")
	}
	path := old(t, 0o664)
	must(t, os.Chown(path, 1234, 4321))
	must(t, atomicfile.Write(path, []byte("new"), atomicfile.Options{Replace: true, KeepOwner: true}))
	checkFile(t, path, "new", 0o664, 1)
	info, err := os.Stat(path)
	must(t, err)
	if is := info.Sys().(*syscall.Stat_t); is.Uid != 1234 || is.Gid != 4321 {
		t.Errorf("its owner is %d:%d", is.Uid, is.Gid)
	}
}
