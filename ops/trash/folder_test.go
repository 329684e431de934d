package trash_test

import (
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestADatabaseHasOneTrashByEveryName: what was removed through a symbolic link is found by the file's own name.
func TestADatabaseHasOneTrashByEveryName(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here")
	}
	if got, want := data.TrashFolder(link), data.TrashFolder(path); got != want {
		t.Errorf("the trash is %s, and %s by the file's own name", got, want)
	}
}
