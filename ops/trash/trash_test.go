package trash_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/trash"
)

func quiet(int, int, string) {}

// create makes a trash file of the sample.
func create(t *testing.T, db *data.DB, c trash.Contents) change.Receipt {
	t.Helper()
	r, err := trash.Create(t.Context(), db, c, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestATrashFileHasTheRowsAndSaysWhatItIs(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	before := testdb.Dump(t, path)
	r := create(t, db, trash.Contents{Verb: "conversations", Selector: "archived", Conversations: []int64{1}})
	if testdb.Dump(t, path) != before {
		t.Error("the database changed")
	}
	folder, err := os.Stat(filepath.Dir(r.Path))
	if err != nil || folder.Mode().Perm() != 0o700 || filepath.Dir(r.Path) != path+".lcm-tui-trash" {
		t.Errorf("the folder of %s has the mode %v", r.Path, folder.Mode())
	}
	if info, err := os.Stat(r.Path); err != nil || info.Mode().Perm() != 0o600 || info.Size() != r.Bytes {
		t.Errorf("the file has the mode %v and %d bytes", info.Mode(), info.Size())
	}
	files, err := trash.List(t.Context(), db)
	if err != nil || len(files) != 1 {
		t.Fatalf("the trash has %d files, %v", len(files), err)
	}
	f := files[0]
	messages, _ := testdb.Count(path, "SELECT count(*) FROM messages WHERE conversation_id = 1")
	if f.Number != 1 || f.Selector != "archived" || f.Rows["messages"] != int64(messages) || f.Digests["messages"] == "" || !f.RemovesConversations() || f.Problem != "" {
		t.Errorf("the file is %+v", f)
	}
	if n, _ := testdb.Count(r.Path, "SELECT count(*) FROM sqlite_master WHERE name LIKE '%fts%'"); n != 0 {
		t.Errorf("it has %d search tables", n)
	}
}

// TestFilesOfOneSecondAreListedInOrder: their names would sort by the verb.
func TestFilesOfOneSecondAreListedInOrder(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	db.Now = func() time.Time { return now }
	var made []string
	for _, verb := range []string{"text", "text", "conversations"} {
		made = append(made, create(t, db, trash.Contents{Verb: verb, Selector: "archived", Conversations: []int64{1}}).Path)
		now = now.Add(10 * time.Millisecond)
	}
	files, err := trash.List(t.Context(), db)
	if err != nil || len(files) != len(made) {
		t.Fatalf("the trash has %d files, %v", len(files), err)
	}
	for i, f := range files {
		if f.Path != made[i] || f.Number != i+1 {
			t.Errorf("file %d is %s, want %s", f.Number, f.Name, filepath.Base(made[i]))
		}
	}
}

func TestTextsAreKeptWithTheirParts(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	r := create(t, db, trash.Contents{Verb: "text", Selector: "older than 90 days", Messages: []int64{1, 2, 3}})
	parts, _ := testdb.Count(path, "SELECT count(*) FROM message_parts WHERE message_id IN (1, 2, 3)")
	if r.Rows["messages"] != 3 || r.Rows["message_parts"] != int64(parts) || r.Rows["conversations"] != 1 || r.Rows["summaries"] != 0 {
		t.Errorf("the rows are %v, want 3 messages and %d parts", r.Rows, parts)
	}
}

func TestNothingStartsWithoutATrash(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(folder string) error{
		"a file in its place":   func(folder string) error { return os.WriteFile(folder, nil, 0o600) },
		"a link in its place":   func(folder string) error { return os.Symlink(filepath.Dir(folder), folder) },
		"a dangling link there": func(folder string) error { return os.Symlink(folder+"-nowhere", folder) },
	} {
		path := testdb.Sample(t, fakehost.Head)
		if err := spoil(data.TrashFolder(path)); err != nil {
			t.Fatal(err)
		}
		_, err := trash.Create(t.Context(), testdb.Open(t, path), trash.Contents{Verb: "text", Messages: []int64{1}}, quiet)
		if hint.Of(err) == "" || !strings.HasPrefix(err.Error(), "the trash ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
