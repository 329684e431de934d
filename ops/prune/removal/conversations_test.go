package removal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/trash"
)

func quiet(int, int, string) {}

// guards returns the guards of conversations as they are.
func guards(t *testing.T, db *data.DB, ids ...int64) (out []change.ConversationGuard) {
	t.Helper()
	for _, id := range ids {
		g, err := change.GuardConversation(t.Context(), db, id, false)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, g)
	}
	return out
}

// planOf returns the removal of conversations as they are.
func planOf(t *testing.T, db *data.DB, ids ...int64) removal.Request {
	t.Helper()
	return removal.Request{Title: "prune conversations", Selector: "by id", Guards: guards(t, db, ids...)}
}

// remove removes conversations.
func remove(t *testing.T, db *data.DB, r removal.Request) removal.Result {
	t.Helper()
	out, err := removal.RemoveConversations(t.Context(), db, r, map[string]any{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ofOthers returns the rows of a file that aren't of a conversation, as text.
func ofOthers(t *testing.T, path string, conversation int64) (out []string) {
	t.Helper()
	for _, table := range []string{"conversations", "messages", "summaries", "context_items", "large_files", "focus_briefs"} {
		out = append(out, testdb.Rows(t, path, fmt.Sprintf("SELECT * FROM %s WHERE conversation_id <> %d ORDER BY 1, 2", table, conversation))...)
	}
	return out
}

func TestRemovalTakesAllRowsOfAConversationAndNoOthers(t *testing.T) {
	t.Parallel()
	for _, level := range testlength.Some([]fakehost.Level{fakehost.V0_1, fakehost.V0_6, fakehost.V0_11, fakehost.Head}) {
		path := testdb.Sample(t, level)
		db := testdb.Open(t, path)
		for _, conversation := range []int64{1, 2} {
			others := ofOthersIfThere(t, path, conversation)
			out := remove(t, db, planOf(t, db, conversation))
			if got := ofOthersIfThere(t, path, conversation); !slices.Equal(got, others) {
				t.Errorf("%s: rows of other conversations changed", level)
			}
			testdb.CheckHealthy(t, path, level)
			for _, query := range []string{
				"SELECT count(*) FROM messages_fts_docsize WHERE id NOT IN (SELECT message_id FROM messages)",
				"SELECT count(*) FROM summaries_fts_content WHERE c0 NOT IN (SELECT summary_id FROM summaries)",
				fmt.Sprintf("SELECT count(*) FROM conversations WHERE conversation_id = %d", conversation),
			} {
				if n, err := testdb.Count(path, query); err != nil || n != 0 {
					t.Errorf("%s: %s: %d, %v", level, query, n, err)
				}
			}
			r, _, err := change.RecordChanges(t.Context(), db, out.Record)
			receipt, ok := change.ReceiptOf(r)
			if err != nil || !ok || receipt.SHA256 != out.Trash.SHA256 {
				t.Errorf("%s: the record %+v doesn't name the trash, %v", level, r, err)
			}
		}
	}
}

func ofOthersIfThere(t *testing.T, path string, conversation int64) []string {
	t.Helper()
	if n, err := testdb.Count(path, "SELECT count(*) FROM sqlite_master WHERE name = 'focus_briefs'"); err != nil || n == 0 {
		return testdb.Rows(t, path, fmt.Sprintf("SELECT message_id, content FROM messages WHERE conversation_id <> %d ORDER BY 1", conversation))
	}
	return ofOthers(t, path, conversation)
}

// manyMessages gives conversation 2 so many messages that it takes several transactions.
const manyMessages = `
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
INSERT INTO messages (conversation_id, seq, role, content, token_count, identity_hash)
	SELECT 2, 10000 + i, 'user', 'message ' || i || ' of many', 4, 'hash' || i FROM n;
INSERT INTO messages_fts (rowid, content) SELECT message_id, content FROM messages WHERE seq > 10000;
INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata)
	SELECT 'part' || message_id, message_id, 's', 'text', 0, content, '{}' FROM messages WHERE seq > 10000;`

func TestALargeConversationIsRemovedInTurnsAndGoesOn(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, manyMessages); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	turns := 0
	_, err := removal.RemoveConversations(ctx, db, planOf(t, db, 2), map[string]any{}, func(_, _ int, note string) {
		if strings.HasPrefix(note, "writing ") && note != "writing to the disk" {
			if turns++; turns == 2 {
				cancel()
			}
		}
	})
	var stopped *change.StoppedError
	if !errors.As(err, &stopped) {
		t.Fatalf("the removal ended with %v, want a *data.StoppedError", err)
	}
	if n, _ := testdb.Count(path, "SELECT count(*) FROM conversations WHERE conversation_id = 2 AND active = 0"); n != 1 {
		t.Error("the conversation isn't there, archived")
	}
	if n, _ := testdb.Count(path, "SELECT count(*) FROM pragma_foreign_key_check"); n != 0 {
		t.Errorf("%d references lead nowhere", n)
	}
	remove(t, db, planOf(t, db, 2))
	if n, _ := testdb.Count(path, "SELECT count(*) FROM messages WHERE conversation_id = 2"); n != 0 {
		t.Errorf("%d messages are left", n)
	}
	testdb.CheckHealthy(t, path, fakehost.Head)
}

func TestRemovalIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		is     func(err error) bool
	}{
		"a table without a foreign key": {"CREATE TABLE visit (conversation_id INTEGER, at TEXT)", isAs[*removal.TableError]},
		"references that are set to NULL": {
			"CREATE TABLE visit (id INTEGER PRIMARY KEY, conversation_id INTEGER REFERENCES conversations ON DELETE SET NULL)", isAs[*removal.TableError],
		},
		"a changed conversation": {"UPDATE messages SET token_count = token_count + 1 WHERE conversation_id = 2", isAs[*data.StaleError]},
		"another conversation that refers to it": {
			"INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT (SELECT min(summary_id) FROM summaries WHERE conversation_id = 1 AND kind = 'leaf'), min(message_id), 99 FROM messages WHERE conversation_id = 2",
			func(err error) bool { return err != nil },
		},
	} {
		path := testdb.Sample(t, fakehost.Head)
		db := testdb.Open(t, path)
		r := planOf(t, db, 2)
		_ = db.Close()
		if err := faults.Alter(path, c.script); err != nil {
			t.Fatal(err)
		}
		before := testdb.Dump(t, path)
		_, err := removal.RemoveConversations(t.Context(), testdb.Open(t, path), r, map[string]any{}, quiet)
		if !c.is(err) {
			t.Errorf("%s: %v", name, err)
		}
		if testdb.Dump(t, path) != before {
			t.Errorf("%s: the file changed", name)
		}
		if left, _ := filepath.Glob(filepath.Join(data.TrashFolder(path), "*")); len(left) > 0 {
			t.Errorf("%s: these files are left: %q", name, left)
		}
	}
	path := testdb.Sample(t, fakehost.Beta)
	if err := removal.CheckRemovable(t.Context(), testdb.Open(t, path)); err != nil {
		t.Errorf("a file of the 1.0 beta is refused: %v", err)
	}
}

func isAs[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func TestLargeFilesMoveIntoTheTrash(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	folder := filepath.Join(filepath.Dir(path), "lcm-files")
	ids := testdb.Rows(t, path, "SELECT DISTINCT conversation_id FROM large_files")
	if len(ids) == 0 {
		t.Fatal("the sample has no large file")
	}
	var conversation int64
	if _, err := fmt.Sscan(ids[0], &conversation); err != nil {
		t.Fatal(err)
	}
	rows, err := lcm.LargeFiles(t.Context(), db, conversation)
	if err != nil {
		t.Fatal(err)
	}
	at, err := lcm.FindLargeFile(rows[0], folder)
	if err != nil {
		t.Fatal(err)
	}
	r := planOf(t, db, conversation)
	r.FilesFolder = folder
	out := remove(t, db, r)
	if _, err := os.Stat(at.Path); err == nil || out.Files != len(rows) {
		t.Errorf("%d of %d files moved, and %s is there: %v", out.Files, len(rows), at.Path, err)
	}
	f, err := trash.Read(t.Context(), out.Trash.Path)
	if err != nil || len(f.Files) != len(rows) || f.FilesBytes != at.Bytes {
		t.Errorf("the trash has the files %+v of %d bytes, %v", f.Files, f.FilesBytes, err)
	}
}
