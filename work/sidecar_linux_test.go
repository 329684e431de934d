package work_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/work"
)

// TestASecondHandleLeavesTheLocksOfTheFirst: without them another process takes itself for the last one, and removes the -wal into
// which the first writes.
func TestASecondHandleLeavesTheLocksOfTheFirst(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	opened(t, folder)
	info, err := os.Stat(filepath.Join(folder, "work.db"))
	testdb.Must(t, err)
	inode := fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)
	locked := func() bool {
		locks, err := os.ReadFile("/proc/locks")
		testdb.Must(t, err)
		return strings.Contains(string(locks), inode)
	}
	if !locked() {
		t.Skip("the system doesn't show this lock")
	}
	for name, open := range map[string]func() (*work.Sidecar, error){
		"Open":       func() (*work.Sidecar, error) { return work.Open(t.Context(), folder) },
		"OpenToRead": func() (*work.Sidecar, error) { return work.OpenToRead(t.Context(), folder) },
	} {
		second, err := open()
		testdb.Must(t, err)
		testdb.Must(t, second.Close())
		if !locked() {
			t.Errorf("%s: the lock is gone", name)
		}
	}
}
