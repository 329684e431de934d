package data_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
)

// opened returns a sample that is open, after a look at it.
func opened(t *testing.T) (*data.DB, string) {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, "SELECT 1"); err != nil { // Its -wal goes into the file.
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	if _, err := db.Changed(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db, path
}

// TestAVanishedFileIsReported: it can't be written, nothing is made in its place, and once
// it is back the handle goes on.
func TestAVanishedFileIsReported(t *testing.T) {
	t.Parallel()
	db, path := opened(t)
	batch := retitle(t, db, "another title")
	away := path + ".away"
	if err := os.Rename(path, away); err != nil {
		t.Fatal(err)
	}
	_, err := db.Changed(t.Context())
	wantKind(t, "watch", err, data.ErrVanished)
	wantKind(t, "writable", db.Writable(), data.ErrVanished)
	_, err = change.Write(t.Context(), db, batch)
	wantKind(t, "write", err, data.ErrVanished)
	if _, err := db.Reopen(t.Context()); !errors.Is(err, data.ErrMissing) {
		t.Errorf("opened again: %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was made")
	}
	if err := os.Rename(away, path); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Changed(t.Context()); err != nil {
		t.Errorf("once it is back: %v", err)
	}
	if _, err := change.Write(t.Context(), db, batch); err != nil {
		t.Errorf("once it is back: %v", err)
	}
}

// TestAFileThatIsReplacedIsNeitherReadNorWritten: what is read is of the file that was
// opened, or an error; the new file stays as it is, also when the handle is closed; and it can
// be opened.
func TestAFileThatIsReplacedIsNeitherReadNorWritten(t *testing.T) {
	t.Parallel()
	db, path := opened(t)
	batch := retitle(t, db, "another title")
	other := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(other, "UPDATE conversations SET title = 'of the new file'"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	was := everything(t, filepath.Dir(path))
	var wg sync.WaitGroup
	for range 6 { // More than there are connections.
		wg.Go(func() {
			cs, err := lcm.Conversations(t.Context(), db)
			if err != nil {
				wantKind(t, "read", err, data.ErrReplaced)
			}
			for _, c := range cs {
				if c.Title == "of the new file" {
					t.Error("the new file is read")
				}
			}
		})
	}
	wg.Wait()
	_, err := db.Changed(t.Context())
	wantKind(t, "watch", err, data.ErrReplaced)
	_, err = change.Write(t.Context(), db, batch)
	wantKind(t, "write", err, data.ErrReplaced)
	wantKind(t, "check the pages", data.PageCheck(t.Context(), db, 1, func(string) {}), data.ErrReplaced)
	again, err := db.Reopen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c, err := lcm.ReadConversation(t.Context(), again, 1); err != nil || c.Title != "of the new file" {
		t.Errorf("opened again: %q, %v", c.Title, err)
	}
	if err := errors.Join(again.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	if is := everything(t, filepath.Dir(path)); is != was {
		t.Errorf("the folder was\n%s\nis\n%s", was, is)
	}
}

// TestAnEmptiedFileIsReported: an empty file isn't one without conversations.
func TestAnEmptiedFileIsReported(t *testing.T) {
	t.Parallel()
	db, path := opened(t)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	_, err := db.Changed(t.Context())
	wantKind(t, "watch", err, data.ErrEmptied)
	cs, err := lcm.Conversations(t.Context(), db)
	if len(cs) > 0 || !errors.Is(err, data.ErrEmptied) && len(db.Warnings()) == 0 {
		t.Errorf("%d conversations, %v", len(cs), err)
	}
	wantKind(t, "writable", db.Writable(), data.ErrEmptied)
}

// TestATruncatedFileIsReported in both journal modes; opened again, what is left is read.
func TestATruncatedFileIsReported(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"DELETE", "WAL"} {
		path := testdb.Sample(t, fakehost.Head)
		execute(t, path, "PRAGMA journal_mode = "+mode)
		db := testdb.Open(t, path)
		if _, err := db.Changed(t.Context()); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, info.Size()-2*4096); err != nil {
			t.Fatal(err)
		}
		for range 2 { // It is no news that passes.
			_, err = db.Changed(t.Context())
			wantKind(t, mode, err, data.ErrCutOff)
		}
		again, err := db.Reopen(t.Context())
		if err != nil {
			t.Fatalf("%s: opened again: %v", mode, err)
		}
		if len(again.Warnings()) == 0 && again.Writable() == nil {
			t.Errorf("%s: opened again it is taken for whole", mode)
		}
		_ = again.Close()
	}
}

// TestAFileThatSQLiteMadeSmallerIsWhole: a VACUUM of another program is a change like any.
func TestAFileThatSQLiteMadeSmallerIsWhole(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"DELETE", "WAL"} {
		path := testdb.Sample(t, fakehost.Head)
		execute(t, path, "PRAGMA journal_mode = "+mode, "CREATE TABLE filler (x)", "INSERT INTO filler VALUES (zeroblob(500000))", "DROP TABLE filler")
		db := testdb.Open(t, path)
		if _, err := db.Changed(t.Context()); err != nil {
			t.Fatal(err)
		}
		was := db.Size()
		execute(t, path, "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
		changed, err := db.Changed(t.Context())
		if err != nil || !changed {
			t.Errorf("%s, from %d to %d bytes: %v, %v", mode, was, db.Size(), changed, err)
		}
	}
}

// TestALockNamesItsHolders: the programs that have the file open are named, and how long
// the write waited.
func TestALockNamesItsHolders(t *testing.T) {
	t.Parallel()
	db, path := opened(t)
	h := host(t, path)
	if err := h.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	db.Wait = time.Millisecond
	db.Holders = func(string) filesystem.Holders {
		return filesystem.Holders{Known: true, Names: []string{"node (process 7)"}}
	}
	_, err := change.Write(t.Context(), db, retitle(t, db, "another title"))
	wantKind(t, "write", err, data.ErrLocked)
	var e *data.Error
	if errors.As(err, &e) && (!strings.Contains(e.Hint(), "node (process 7) has the file open") || !strings.Contains(e.Hint(), "Try again when the other program is done")) {
		t.Errorf("hint: %s", e.Hint())
	}
}
