package trash_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/trash"
)

// TestTheNextPruneRemovesWhatAKilledOneLeft: an unfinished file of the trash doesn't stay for ever; one that may still be
// written stays.
func TestTheNextPruneRemovesWhatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	if err := trash.CheckFolder(db); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(data.TrashFolder(db.Path()), "20260101T000000Z-text.db.1.part")
	young := filepath.Join(data.TrashFolder(db.Path()), "20260103T000000Z-text.db.2.part")
	for path, age := range map[string]time.Duration{old: 48 * time.Hour, young: time.Hour} {
		at := db.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, []byte("unfinished"), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := trash.Create(t.Context(), db, trash.Contents{Verb: "conversations", Conversations: []int64{2}}, func(int, int, string) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was left two days ago is there: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("what may still be written is gone: %v", err)
	}
}
