package data_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// half is what a host was about when it was killed: every text is another.
const half = "UPDATE messages SET content = 'never committed ' || hex(zeroblob(2000)); UPDATE summaries SET content = 'never committed'; DELETE FROM context_items"

// interrupted returns a sample whose host was killed in the middle of a write, and what the
// file held before.
func interrupted(t *testing.T) (path, before string) {
	t.Helper()
	path = testdb.Sample(t, fakehost.Head)
	before = dump(t, path)
	if err := faults.Interrupt(path, half); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(raw), "never committed") {
		t.Fatalf("nothing of the write reached the file: %v", err)
	}
	return path, before
}

// TestAnInterruptedWriteIsNotRead: a file with a hot journal reads as it was before
// that write, says so, and is left as it is.
func TestAnInterruptedWriteIsNotRead(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp) // Where the private copy is made.
	path, before := interrupted(t)
	was := everything(t, filepath.Dir(path))
	db := testdb.Open(t, path)
	ms, err := lcm.Messages(t.Context(), db, 1, lcm.Page{Limit: 100, Clip: data.WholeText})
	if err != nil || len(ms) == 0 {
		t.Fatalf("%d messages, %v", len(ms), err)
	}
	for _, m := range ms {
		if strings.Contains(m.Content, "never committed") {
			t.Fatalf("message %d shows what was never committed", m.ID)
		}
	}
	if w := db.Warnings(); len(w) != 1 || !errors.Is(w[0], data.ErrUnfinished) {
		t.Errorf("warnings: %v", w)
	}
	if err := db.Writable(); !errors.Is(err, data.ErrUnfinished) {
		t.Errorf("it may be written: %v", err)
	}
	if db.Path() != path {
		t.Errorf("it is called %s", db.Path())
	}
	copied := filepath.Join(t.TempDir(), "backup.db")
	if _, err := db.Backup(t.Context(), copied, noReport); err != nil {
		t.Fatal(err)
	}
	if dump(t, copied) != before {
		t.Error("the backup isn't what was committed")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if is := everything(t, filepath.Dir(path)); is != was {
		t.Errorf("the folder was\n%s\nis\n%s", was, is)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestAFinishedJournalIsNone: one that is empty, begins with zeros or is being written
// by a host that lives keeps nobody from reading the file itself.
func TestAFinishedJournalIsNone(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{"empty": {}, "zeros": make([]byte, 512)} {
		path := testdb.Sample(t, fakehost.Head)
		if err := faults.Alter(path, "SELECT 1"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+"-journal", content, 0o600); err != nil {
			t.Fatal(err)
		}
		if db := testdb.Open(t, path); len(db.Warnings()) > 0 || db.Writable() != nil {
			t.Errorf("%s: %v, %v", name, db.Warnings(), db.Writable())
		}
	}
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	h := host(t, path)
	for _, q := range []string{"PRAGMA journal_mode = DELETE", "BEGIN IMMEDIATE", "UPDATE messages SET content = 'soon'"} {
		if err := h.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if db := testdb.Open(t, path); len(db.Warnings()) > 0 {
		t.Errorf("beside a writer: %v", db.Warnings())
	}
}

// everything returns the names, sizes and contents of a folder's files.
func everything(t *testing.T, folder string) (out string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		b, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out += f.Name() + " " + fmt.Sprintf("%x", sha256.Sum256(b)) + "\n"
	}
	return out
}
