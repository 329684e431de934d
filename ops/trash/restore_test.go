package trash_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/trash"
)

// remove removes conversations, and returns the file of the trash that has them.
func remove(t *testing.T, db *data.DB, folder string, ids ...int64) trash.File {
	t.Helper()
	out, err := removal.RemoveConversations(t.Context(), db, planOf(t, db, folder, ids...), map[string]any{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return find(t, db, filepath.Base(out.Trash.Path))
}

func planOf(t *testing.T, db *data.DB, folder string, ids ...int64) removal.Request {
	t.Helper()
	r := removal.Request{Title: "prune conversations", Selector: "by id", FilesFolder: folder}
	for _, id := range ids {
		g, err := change.GuardConversation(t.Context(), db, id, false)
		if err != nil {
			t.Fatal(err)
		}
		r.Guards = append(r.Guards, g)
	}
	return r
}

func find(t *testing.T, db *data.DB, name string) trash.File {
	t.Helper()
	f, err := trash.Find(t.Context(), db, name)
	if err != nil || f.Problem != "" {
		t.Fatalf("%s: %v %s", name, err, f.Problem)
	}
	return f
}

// restore puts back what is in a file of the trash.
func restore(t *testing.T, db *data.DB, r trash.Restore) trash.RestoreResult {
	t.Helper()
	out, err := r.Apply(t.Context(), db, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// restoreOf returns what undoes the record of a prune.
func restoreOf(t *testing.T, db *data.DB, record int64) trash.Restore {
	t.Helper()
	r, _, err := change.RecordChanges(t.Context(), db, record)
	if err != nil {
		t.Fatal(err)
	}
	out, ok, err := trash.RestoreOf(t.Context(), db, r)
	if err != nil || !ok {
		t.Fatalf("record %d: %v, %v", record, ok, err)
	}
	return out
}

// otherTables belong to messages and conversations of every level.
const otherTables = `
CREATE TABLE label (name TEXT PRIMARY KEY);
CREATE TABLE message_label (message_id INTEGER REFERENCES messages(message_id), label TEXT REFERENCES label, at REAL, PRIMARY KEY (message_id, label));
CREATE TABLE visit (conversation_id INTEGER REFERENCES conversations ON DELETE CASCADE, at TEXT, note BLOB);
INSERT INTO label VALUES ('important');
INSERT INTO message_label SELECT message_id, 'important', 0.5 FROM messages;
INSERT INTO visit SELECT conversation_id, '2026-01-01', x'00ff' FROM conversations;`

func TestRemovedConversationsComeBackByteForByte(t *testing.T) {
	t.Parallel()
	for _, level := range testlength.Some([]fakehost.Level{fakehost.V0_1, fakehost.V0_9, fakehost.Head}) {
		path := testdb.Sample(t, level)
		if err := faults.Alter(path, otherTables); err != nil {
			t.Fatal(err)
		}
		before := testdb.Dump(t, path)
		db := testdb.Open(t, path)
		folder := filepath.Join(filepath.Dir(path), "lcm-files")
		f := remove(t, db, folder, 1, 2)
		if testdb.Dump(t, path) == before {
			t.Fatalf("%s: nothing was removed", level)
		}
		out := restore(t, db, trash.Restore{File: f})
		if testdb.Dump(t, path) != before {
			t.Errorf("%s: the file isn't what it was", level)
		}
		if out.Conversations != 2 || out.Files != len(f.Files) || len(out.Archived)+len(out.Unmoved) > 0 || out.Changed+out.Lost != 0 {
			t.Errorf("%s: the result is %+v", level, out)
		}
		r, _, err := change.RecordChanges(t.Context(), db, f.Record)
		if err != nil || !r.Undone() || r.Title != "prune conversations" {
			t.Errorf("%s: the record is %+v, %v", level, r, err)
		}
	}
}

// TestLargeFilesComeBackBesideACopy: of a folder that was copied or moved, and not in the folder of the database that was pruned.
func TestLargeFilesComeBackBesideACopy(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	folder := filepath.Join(filepath.Dir(path), "lcm-files")
	lay := filepath.Join(folder, "1", "file_00000000000000aa.txt")
	if err := os.MkdirAll(filepath.Dir(lay), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lay, []byte("large"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := faults.Alter(path, "INSERT INTO large_files (file_id, conversation_id, storage_uri) VALUES ('file_00000000000000aa', 1, '"+lay+"')"); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	f := remove(t, db, folder, 1)
	copied := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(copied, os.DirFS(filepath.Dir(path))); err != nil {
		t.Fatal(err)
	}
	other := testdb.Open(t, filepath.Join(copied, filepath.Base(path)))
	if out := restore(t, other, restoreOf(t, other, f.Record)); len(out.Unmoved) > 0 || out.Files == 0 {
		t.Errorf("the result is %+v", out)
	}
	if _, err := os.Stat(lay); err == nil {
		t.Error("a restore in a copy put a file into the folder of the original")
	}
	if _, err := os.Stat(f.Stored(f.Files[0])); err != nil {
		t.Error("a restore in a copy emptied the trash of the original")
	}
	alone := testdb.Open(t, testdb.Copy(t, path)) // It has the trash of the original only.
	if out := restore(t, alone, restoreOf(t, alone, f.Record)); out.Files > 0 || len(out.Unmoved) != len(f.Files) || out.Conversations != 1 {
		t.Errorf("without a trash of its own: %+v", out)
	}
	if text, err := os.ReadFile(filepath.Join(copied, "lcm-files", "1", filepath.Base(lay))); err != nil || string(text) != "large" {
		t.Errorf("in the copy: %q, %v", text, err)
	}
	if out := restore(t, db, trash.Restore{File: f}); len(out.Unmoved) > 0 {
		t.Errorf("the result is %+v", out)
	}
	if text, err := os.ReadFile(lay); err != nil || string(text) != "large" {
		t.Errorf("in the original: %q, %v", text, err)
	}
}

// TestAllConversationsComeBackIntoADatabaseThatWasMoved: none of them is left by which it is known again, but its record says
// which file it is.
func TestAllConversationsComeBackIntoADatabaseThatWasMoved(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	before := testdb.Dump(t, path)
	db := testdb.Open(t, path)
	var all []int64
	for _, id := range testdb.Rows(t, path, "SELECT conversation_id FROM conversations") {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	f := remove(t, db, "", all...)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.CopyFS(moved, os.DirFS(filepath.Dir(path))); err != nil {
		t.Fatal(err)
	}
	other := testdb.Open(t, filepath.Join(moved, filepath.Base(path)))
	restore(t, other, restoreOf(t, other, f.Record))
	if testdb.Dump(t, other.Path()) != before {
		t.Error("the file isn't what it was")
	}
	unknown := find(t, other, f.Name)
	unknown.Origin.Sample = nil
	if _, err := (trash.Restore{File: unknown}).Apply(t.Context(), other, quiet); !errors.Is(err, trash.ErrOtherDatabase) {
		t.Errorf("without the record: %v", err)
	}
}

func TestOneConversationComesBack(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	f := remove(t, db, "", 1, 2)
	out := restore(t, db, trash.Restore{File: f, Conversations: []int64{2}})
	if out.Conversations != 1 {
		t.Errorf("%d conversations came back", out.Conversations)
	}
	for conversation, want := range map[int]int{1: 0, 2: 1} {
		if n, _ := testdb.Count(path, fmt.Sprintf("SELECT count(*) FROM conversations WHERE conversation_id = %d", conversation)); n != want {
			t.Errorf("there are %d of conversation %d", n, conversation)
		}
	}
	if r, _, err := change.RecordChanges(t.Context(), db, f.Record); err != nil || r.Undone() || r.Unfinished {
		t.Errorf("the record is %+v, %v", r, err)
	}
	var missing *data.NotFoundError
	if _, err := (trash.Restore{File: f, Conversations: []int64{3}}).Apply(t.Context(), db, quiet); !errors.As(err, &missing) {
		t.Errorf("a conversation that isn't in the file: %v", err)
	}
}

// manyMessages gives conversation 2 so many messages that it takes several transactions.
const manyMessages = `
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
INSERT INTO messages (conversation_id, seq, role, content, token_count, identity_hash)
	SELECT 2, 10000 + i, 'user', 'message ' || i || ' of many', 4, 'hash' || i FROM n;
INSERT INTO messages_fts (rowid, content) SELECT message_id, content FROM messages WHERE seq > 10000;
INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata)
	SELECT 'part' || message_id, message_id, 's', 'text', 0, content, '{}' FROM messages WHERE seq > 10000;`

// cancelAtTurn returns a context that ends after so many turns, and the report that ends it.
func cancelAtTurn(t *testing.T, turn int) (context.Context, data.Report) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	turns := 0
	return ctx, func(_, total int, note string) {
		if total > 0 && strings.HasPrefix(note, "writing ") {
			if turns++; turns == turn {
				cancel()
			}
		}
	}
}

func TestWhatAStoppedRemovalAndAStoppedRestoreLeftComesBack(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	original := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(original, manyMessages); err != nil {
		t.Fatal(err)
	}
	before := testdb.Dump(t, original)
	for _, turn := range []int{0, 2} {
		path := testdb.Copy(t, original)
		db := testdb.Open(t, path)
		ctx, report := cancelAtTurn(t, turn+1)
		_, err := removal.RemoveConversations(ctx, db, planOf(t, db, "", 2), map[string]any{}, report)
		var stopped *change.StoppedError
		if err != nil && !errors.As(err, &stopped) {
			t.Fatal(err)
		}
		f := find(t, db, "1")
		ctx, report = cancelAtTurn(t, 1)
		_, _ = trash.Restore{File: f}.Apply(ctx, db, report) // It may be whole in one turn.
		if n, _ := testdb.Count(path, "SELECT count(*) FROM pragma_foreign_key_check"); n != 0 {
			t.Errorf("stopped after %d turns: %d references lead nowhere", turn+1, n)
		}
		restore(t, db, trash.Restore{File: find(t, db, "1")})
		if testdb.Dump(t, path) != before {
			t.Errorf("stopped after %d turns: the file isn't what it was", turn+1)
		}
	}
}

func TestAConversationWhoseKeyIsTakenComesBackArchived(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	active := testdb.Rows(t, path, "SELECT conversation_id FROM conversations WHERE active = 1 AND session_key IS NOT NULL LIMIT 1")
	var id int64
	if _, err := fmt.Sscan(active[0], &id); err != nil {
		t.Fatal(err)
	}
	key := strings.Trim(testdb.Rows(t, path, "SELECT session_key FROM conversations WHERE conversation_id = "+active[0])[0], `"`)
	f := remove(t, db, "", id)
	_ = db.Close()
	if err := faults.Alter(path, "INSERT INTO conversations (session_id, session_key) VALUES ('another', '"+key+"')"); err != nil {
		t.Fatal(err)
	}
	out := restore(t, testdb.Open(t, path), trash.Restore{File: f})
	if !slices.Equal(out.Archived, []int64{id}) {
		t.Errorf("archived are %d, want %d", out.Archived, id)
	}
	if n, _ := testdb.Count(path, "SELECT count(*) FROM conversations WHERE active = 0 AND archived_at IS NOT NULL AND archive_cause = 'session-end' AND conversation_id = "+active[0]); n != 1 {
		t.Error("the conversation isn't archived")
	}
}

// forget puts stubs in the place of the texts of messages, as pruning does.
func forget(t *testing.T, path string, ids ...int64) {
	t.Helper()
	for _, id := range ids {
		row := testdb.Rows(t, path, fmt.Sprintf("SELECT role || '|' || seq || '|' || octet_length(content) FROM messages WHERE message_id = %d", id))[0]
		fields := strings.Split(strings.Trim(row, `"`), "|")
		stub := fmt.Sprintf("[LCM Forgotten: %s message %s, 2026-01-01, %s bytes]", fields[0], fields[1], fields[2])
		script := fmt.Sprintf("UPDATE messages SET content = '%[1]s' WHERE message_id = %[2]d; UPDATE message_parts SET text_content = '%[1]s', tool_output = NULL, metadata = '{}' WHERE message_id = %[2]d; DELETE FROM messages_fts WHERE rowid = %[2]d", stub, id)
		if err := faults.Alter(path, script); err != nil {
			t.Fatal(err)
		}
	}
}

func TestForgottenTextsComeBackWhereTheStubStillStands(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	before := testdb.Dump(t, path)
	db := testdb.Open(t, path)
	create(t, db, trash.Contents{Verb: "text", Selector: "old ones", Messages: []int64{1, 2, 3, 4}})
	f := find(t, db, "1")
	_ = db.Close()
	forget(t, path, 1, 2, 3)
	if err := faults.Alter(path, "CREATE TABLE kept AS SELECT content FROM messages WHERE message_id = 3; UPDATE messages SET content = 'written since' WHERE message_id = 3"); err != nil {
		t.Fatal(err)
	}
	db = testdb.Open(t, path)
	out := restore(t, db, trash.Restore{File: f})
	if out.Texts != 2 || out.Changed != 1 {
		t.Errorf("the result is %+v, want 2 texts and 1 changed message", out)
	}
	_ = db.Close()
	if err := faults.Alter(path, "UPDATE messages SET content = (SELECT content FROM kept) WHERE message_id = 3; DROP TABLE kept"); err != nil {
		t.Fatal(err)
	}
	restore(t, testdb.Open(t, path), trash.Restore{File: f})
	if testdb.Dump(t, path) != before {
		t.Error("the file isn't what it was")
	}
}

func TestFilesThatAreNotRestored(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	f := remove(t, db, "", 2)
	other := testdb.Sample(t, fakehost.V0_1)
	if err := faults.Alter(other, "UPDATE conversations SET created_at = '2001-01-01 00:00:00'"); err != nil {
		t.Fatal(err)
	}
	if _, err := (trash.Restore{File: f}).Apply(t.Context(), testdb.Open(t, other), quiet); !errors.Is(err, trash.ErrOtherDatabase) {
		t.Errorf("into another database: %v", err)
	}
	if _, err := (trash.Restore{File: f, SHA256: "00"}).Apply(t.Context(), db, quiet); !errors.Is(err, trash.ErrChanged) {
		t.Errorf("a changed file: %v", err)
	}
	if err := os.WriteFile(f.Path, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	spoiled, err := trash.Find(t.Context(), db, "1")
	if err != nil || spoiled.Problem == "" {
		t.Errorf("a spoiled file is listed as %+v, %v", spoiled, err)
	}
	if _, err := (trash.Restore{File: spoiled}).Apply(t.Context(), db, quiet); err == nil {
		t.Error("a spoiled file is restored")
	}
}
