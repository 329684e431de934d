package trash_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/trash"
)

// TestThePreviewPromisesWhatIsDone: whatever became of the rows and files since, the numbers of the
// preview are those of the restore.
func TestThePreviewPromisesWhatIsDone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, since := range map[string]string{
		"nothing":                  "SELECT 1",
		"another stub":             "UPDATE messages SET content = replace(content, ' bytes]', '0 bytes]') WHERE content LIKE '[LCM Forgotten:%' AND message_id % 2",
		"another text":             "UPDATE messages SET content = 'other' WHERE message_id % 3 = 0",
		"a text after the stub":    "UPDATE messages SET content = content || ' and more' WHERE content LIKE '[LCM Forgotten:%'",
		"other numbers":            "UPDATE messages SET seq = seq + 1000 WHERE message_id % 2",
		"rows that are gone":       "PRAGMA foreign_keys = 0; DELETE FROM messages WHERE message_id % 4 = 0",
		"a conversation is gone":   "PRAGMA foreign_keys = 0; DELETE FROM conversations WHERE conversation_id = 1; DELETE FROM messages WHERE conversation_id = 1",
		"a reference, names files": "UPDATE messages SET content = content || ' file_0123456789abcdef'",
	} {
		for _, verb := range []string{"texts", "conversations"} {
			path, db, f := trashed(t, verb)
			_ = db.Close()
			if err := faults.Alter(path, since); err != nil {
				t.Fatal(err)
			}
			db = testdb.Open(t, path)
			if name == "another text" && len(f.Files) > 0 {
				if err := os.MkdirAll(filepath.Dir(f.Files[0].Path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(f.Files[0].Path, []byte("another file"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			p, err := trash.Restore{File: f}.Preview(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			out := restore(t, db, trash.Restore{File: f})
			promised, done := fmt.Sprint(p.Messages, p.Texts, p.Changed, p.Files), fmt.Sprint(out.Messages, out.Texts, out.Changed, out.Files)
			if promised != done || verb == "texts" && p.Lost != out.Lost {
				t.Errorf("%s, %s: promised %s, done %s (%+v, %+v)", verb, name, promised, done, p, out)
			}
		}
	}
}

// trashed returns a database of which texts or conversations are in the trash.
func trashed(t *testing.T, verb string) (path string, db *data.DB, f trash.File) {
	t.Helper()
	if verb == "texts" {
		path = testdb.Sample(t, fakehost.Head)
		db = testdb.Open(t, path)
		create(t, db, trash.Contents{Verb: "text", Selector: "old ones", Messages: []int64{1, 2, 3, 4, 5, 6, 7, 8}})
		f = find(t, db, "1")
		_ = db.Close()
		forget(t, path, 1, 2, 3, 4, 5, 6)
		return path, db, f
	}
	path = testdb.Sample(t, fakehost.Head)
	db = testdb.Open(t, path)
	f = remove(t, db, strings.TrimSuffix(path, filepath.Base(path))+"lcm-files", 1, 2)
	return path, db, f
}
