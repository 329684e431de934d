package data_test

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testlength"
)

func TestWhatCannotBeOpenedSaysWhyAndWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other := filepath.Join(dir, "other.db")
	h, err := fakehost.Create(other, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"context_items", "summary_parents", "summary_messages", "message_parts", "large_files", "summaries", "messages", "conversations"} {
		if err := h.Exec("DROP TABLE " + table); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		want       error
	}{
		{"missing", filepath.Join(dir, "no.db"), data.ErrMissing},
		{"empty", write("empty.db", ""), data.ErrEmpty},
		{"a directory", dir, data.ErrDirectory},
		{"text", write("text.db", strings.Repeat("not a database\n", 99)), data.ErrNotSQLite},
		{"another program's", other, data.ErrNotLCM},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			db, err := data.Open(t.Context(), c.path)
			if err == nil {
				_ = db.Close()
			}
			var e *data.Error
			if !errors.Is(err, c.want) || !errors.As(err, &e) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if !strings.Contains(err.Error(), c.path) || e.Hint() == "" {
				t.Errorf("the error names no file or no next step: %v (%s)", err, e.Hint())
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "no.db")); !os.IsNotExist(err) {
		t.Error("opening a missing file made one")
	}
}

func TestBrowsingChangesNothing(t *testing.T) {
	t.Parallel()
	for _, journal := range []string{"wal", "delete"} {
		t.Run(journal, func(t *testing.T) {
			t.Parallel()
			path := sample(t, fakehost.Head)
			if journal == "delete" {
				h := host(t, path)
				if err := h.Exec("PRAGMA journal_mode = DELETE"); err != nil {
					t.Fatal(err)
				}
				if err := h.Close(); err != nil {
					t.Fatal(err)
				}
			}
			before := folder(t, path)
			db := open(t, path)
			browse(t, db)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if after := folder(t, path); after != before {
				t.Errorf("the folder is another:\n%s\n%s", before, after)
			}
		})
	}
}

// folder returns the names and hashes of the files beside a closed database.
func folder(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		b.WriteString(e.Name() + " " + string(sum[:4]) + "\n")
	}
	return b.String()
}

func TestEveryLevelIsReadAndNamed(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range fakehost.Levels() {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			db := open(t, sample(t, level))
			if browse(t, db) == 0 {
				t.Error("nothing was read")
			}
			if w := db.Warnings(); len(w) > 0 {
				t.Error(w)
			}
			if err := db.Writable(); err != nil {
				t.Error(err)
			}
			if got := db.Kind(); got.Relative || !strings.HasPrefix(string(level), got.Level) && level != fakehost.Head && got.Level != "1.0 beta" {
				t.Logf("%s is called %s", level, got)
			}
		})
	}
}

func TestFaultsHideNothingElse(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, fault := range faults.Names() {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			db, err := data.Open(t.Context(), broken(t, fault))
			if err != nil {
				var e *data.Error
				if !errors.As(err, &e) || e.Hint() == "" {
					t.Errorf("no hint: %v", err)
				}
				return
			}
			defer db.Close()
			n := browse(t, db)
			if n == 0 && len(db.Warnings()) == 0 {
				t.Error("nothing was read, and nothing said why")
			}
		})
	}
}

func TestOneBadCellCostsOnlyItself(t *testing.T) {
	t.Parallel()
	db := open(t, broken(t, "bad-values"))
	healthy := open(t, sample(t, fakehost.Head))
	if got, want := browse(t, db), browse(t, healthy); got != want {
		t.Errorf("%d rows were read, of %d", got, want)
	}
}

func TestRelativesAreShownAndNeverWritten(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.V0_3)
	h := host(t, path)
	if err := h.Exec("CREATE TABLE promoted (id TEXT PRIMARY KEY, content TEXT)"); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	if k := db.Kind(); !k.Relative || k.Name != "lossless-claude" || k.Note == "" {
		t.Errorf("it is called %+v", k)
	}
	if browse(t, db) == 0 {
		t.Error("nothing was read")
	}
	if _, err := change.Write(t.Context(), db, change.Batch{Op: "test"}); !errors.Is(err, data.ErrReadOnly) {
		t.Errorf("a write: %v", err)
	}
}

func TestMissingCoreTables(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	h := host(t, path)
	for _, q := range []string{"PRAGMA foreign_keys = OFF", "DROP TABLE message_parts", "DROP TABLE large_files"} {
		if err := h.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	if browse(t, db) == 0 {
		t.Error("nothing was read")
	}
	if w := db.Warnings(); len(w) != 1 {
		t.Errorf("warnings: %v", w)
	}
	if err := db.Writable(); err == nil {
		t.Error("it may be written")
	}
}

// TestCutOff: of a file that was cut off, what is left is shown.
func TestCutOff(t *testing.T) {
	t.Parallel()
	db := open(t, fixture(t, "faults/sqlite-truncated.db"))
	if n := browse(t, db); n == 0 {
		t.Error("nothing was read")
	}
	if w := db.Warnings(); len(w) == 0 || !errors.Is(w[0], data.ErrDamaged) {
		t.Errorf("warnings: %v", w)
	}
	if err := db.Writable(); !errors.Is(err, data.ErrDamaged) {
		t.Errorf("it may be written: %v", err)
	}
}

func TestHotWALIsSeen(t *testing.T) {
	t.Parallel()
	db := open(t, fixture(t, "faults/wal-leftover.db"))
	m, err := lcm.ReadMessage(t.Context(), db, 300001)
	if err != nil {
		t.Fatal(err)
	}
	c, err := lcm.ReadConversation(t.Context(), db, m.Conversation)
	if err != nil || c.Title != "from the wal" {
		t.Errorf("title %q, %v", c.Title, err)
	}
}

// TestReadOnlyFolder: a database in WAL mode needs a -shm beside it; where none
// can be made it is read all the same.
func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("the superuser may write everywhere")
	}
	path := sample(t, fakehost.Head)
	dir := filepath.Dir(path)
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) }) //nolint:gosec // The folder of a test.
	db := open(t, path)
	if browse(t, db) == 0 {
		t.Error("nothing was read")
	}
	if err := db.Writable(); !errors.Is(err, data.ErrReadOnly) {
		t.Errorf("it may be written: %v", err)
	}
}
