package change_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// once runs a statement as another program when a write or an undo has read what it needs, and has no lock yet.
func once(t *testing.T, db *data.DB, statement string) {
	t.Helper()
	ran := false
	db.Step = func(step string) {
		if step == data.StepPrepared && !ran {
			ran = true
			testdb.Execute(t, db.Path(), statement)
		}
	}
	t.Cleanup(func() {
		if !ran {
			t.Error("nothing was prepared")
		}
	})
}

const changeMeanwhile = "UPDATE conversations SET title = 'by another' WHERE conversation_id = 1"

// A change between the comparison and the lock is noticed, and nothing is written.
func TestAChangeBeforeTheLockIsNoticed(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	b := testdb.Retitle(t, db, "ours")
	once(t, db, changeMeanwhile)
	_, err := change.Write(t.Context(), db, b)
	wantOnlyTheOther(t, path, err, 0)
}

// The same for an undo, also of a record that is undone in turns: the record stays, and what it wrote.
func TestAChangeBeforeTheLockOfAnUndoIsNoticed(t *testing.T) {
	t.Parallel()
	for _, partRows := range []int{2000, 20} {
		t.Run(fmt.Sprint(partRows, " rows"), func(t *testing.T) {
			t.Parallel()
			path := sample(t, fakehost.Head)
			db := open(t, path)
			b := testdb.Retitle(t, db, "ours")
			for id := range int64(100) {
				b.Changes = append(b.Changes, change.Insert(db, "messages", newMessage(5000+id, nil)))
			}
			record, err := change.Write(t.Context(), db, b)
			must(t, err)
			db.PartRows = partRows
			once(t, db, changeMeanwhile)
			wantOnlyTheOther(t, path, change.Undo(t.Context(), db, record), 100)
		})
	}
}

// wantOnlyTheOther fails unless an operation was refused because a row had changed, and the file has that change
// and so many messages of the operation.
func wantOnlyTheOther(t *testing.T, path string, err error, messages int) {
	t.Helper()
	var stale *data.StaleError
	if !errors.As(err, &stale) {
		t.Errorf("%v, want a StaleError", err)
	}
	if count(t, path, "SELECT count(*) FROM conversations WHERE conversation_id = 1 AND title = 'by another'") != 1 {
		t.Error("the other program's change is gone")
	}
	if n := count(t, path, "SELECT count(*) FROM messages WHERE message_id >= 5000"); n != messages {
		t.Errorf("%d messages, want %d", n, messages)
	}
}

// What a host appends between the comparison and the lock stays at the end of the context.
func TestWhatIsAppendedBeforeTheLockOfAnUndoStays(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	const items = "SELECT count(*) FROM context_items WHERE conversation_id = 1"
	was := count(t, path, items)
	db := open(t, path)
	rows, err := data.Images(t.Context(), db, "context_items", data.Row{"conversation_id": int64(1)})
	must(t, err)
	message := newMessage(5000, nil)
	item := data.Row{"conversation_id": int64(1), "ordinal": int64(len(rows)), "item_type": "message", "message_id": int64(5000), "summary_id": nil, "created_at": "2026-01-01 00:00:00"}
	record, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: "append", Changes: []change.Change{
		change.Insert(db, "messages", message), change.Insert(db, "context_items", item),
	}})
	must(t, err)
	testdb.Execute(t, path, "INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (6000, 1, 6000, 'user', 'new', 1)")
	once(t, db, "INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) SELECT 1, max(ordinal) + 1, 'message', 6000 FROM context_items WHERE conversation_id = 1")
	must(t, change.Undo(t.Context(), db, record))
	last := count(t, path, "SELECT message_id FROM context_items WHERE conversation_id = 1 ORDER BY ordinal DESC LIMIT 1")
	if n := count(t, path, items); n != was+1 || last != 6000 {
		t.Errorf("%d items, the last of message %d; want %d and 6000", n, last, was+1)
	}
	if count(t, path, "SELECT count(*) FROM messages WHERE message_id = 5000") != 0 {
		t.Error("the message of the record is still there")
	}
}

// A row that a host adds to a search table between the reading and the lock is replaced as those that were read.
func TestWhatIsIndexedBeforeTheLockIsReplaced(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	rows, err := data.Images(t.Context(), db, "summaries", data.Row{"conversation_id": int64(1)})
	must(t, err)
	was := rows[0]
	is := maps.Clone(was)
	is["content"] = "a text about quokkas"
	id := data.CellText(was["summary_id"])
	once(t, db, "INSERT INTO summaries_fts (summary_id, content) VALUES ('"+id+"', 'indexed by another program')")
	_, err = change.Write(t.Context(), db, change.Batch{Op: "test", Title: "rewrite", Changes: []change.Change{
		{Table: "summaries", Key: []string{"summary_id"}, Before: was, After: is},
	}})
	must(t, err)
	if n := count(t, path, "SELECT count(*) FROM summaries_fts WHERE summary_id = '"+id+"' AND content = 'a text about quokkas'"); n != 1 {
		t.Errorf("the new text is indexed %d times", n)
	}
	if n := count(t, path, "SELECT count(*) FROM summaries_fts WHERE summary_id = '"+id+"'"); n != 1 {
		t.Errorf("the summary is indexed %d times", n)
	}
}
