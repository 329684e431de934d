package replica_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/replica"
)

// changeFile runs statements on a file as a host would.
func changeFile(t *testing.T, path string, fn func(h *fakehost.Writer) error) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Script("PRAGMA foreign_keys=OFF"); err != nil { // It has no effect within a transaction.
		t.Fatal(err)
	}
	if err := h.Tx(fn); err != nil {
		t.Error(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestSyncsThatEndedAreWhole: what a signal ends after them doesn't call what was sent a part.
func TestSyncsThatEndedAreWhole(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	ctx, sent := outcome.With(t.Context())
	for _, text := range []string{"One.", "Two."} {
		changeFile(t, path, func(h *fakehost.Writer) error {
			_, err := h.Message(1, fakehost.Message{Role: "user", Content: text})
			return err
		})
		if _, err := replica.Sync(ctx, db, s.address, options("laptop")); err != nil {
			t.Fatal(err)
		}
	}
	if got := sent.Explain(context.Canceled).Error(); got != "cancelled; all that the file had at the last sync is sent" {
		t.Errorf("it says %q", got)
	}
}

// TestALaterSyncSendsWhatChanged and nothing else, and every cell is equal after each.
func TestALaterSyncSendsWhatChanged(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	o := options("laptop")
	db := testdb.Open(t, path)
	first, _ := s.sync(db, o)
	if first.New != 2 || first.Sent.Rows == 0 || !first.IsNew {
		t.Errorf("the first sync: %+v", first)
	}
	if again, _ := s.sync(db, o); !again.IsEmpty() || again.Sent.Rows > 0 {
		t.Errorf("nothing changed: %+v", again)
	}
	for _, c := range []struct {
		name   string
		change func(h *fakehost.Writer) error
		want   func(r *replica.Result) bool
	}{
		{"a message more", func(h *fakehost.Writer) error {
			_, err := h.Message(1, fakehost.Message{Role: "user", Content: "One message more."})
			return err
		}, func(r *replica.Result) bool {
			return r.Appended == 1 && r.Replaced == 0 && r.Sent.Rows < first.Sent.Rows/2
		}},
		{"an old message gets its entry", script("UPDATE messages SET transcript_entry_id = 'entry-x' WHERE message_id = 2"), func(r *replica.Result) bool { return r.Replaced == 1 && r.Appended == 0 }},
		{"a migration changes a text", script("UPDATE messages SET content = content || '!' WHERE message_id = 2; INSERT INTO lcm_migration_state (step_name, algorithm_version) VALUES ('a new step', 1)"), func(r *replica.Result) bool { return r.Replaced == 1 && r.New == 0 && r.NoConversation }},
		{"a message moves", script("UPDATE messages SET conversation_id = 2, seq = 900 WHERE message_id = 2"), func(r *replica.Result) bool { return r.Replaced == 2 }},
		{"a summary goes", script("DELETE FROM context_items WHERE item_type = 'summary'; DELETE FROM summary_parents; DELETE FROM summary_messages; DELETE FROM summaries"), func(r *replica.Result) bool { return r.Appended == 2 && r.Replaced == 0 }},
		{"a row of no conversation", script("INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal) VALUES ('lost', 999999, 's', 'text', 0)"), func(r *replica.Result) bool { return r.Replaced+r.New == 0 && r.NoConversation && r.Sent.Rows > 0 }},
		{"a new table", script("CREATE TABLE of_a_newer_host (a, b BLOB); INSERT INTO of_a_newer_host VALUES (1.5, x'00ff')"), func(r *replica.Result) bool { return r.Tables == 1 && r.Replaced == 0 }},
		{"the table goes", script("DROP TABLE of_a_newer_host"), func(r *replica.Result) bool { return r.Tables == 1 }},
		{"a new column", script("ALTER TABLE messages ADD COLUMN of_a_newer_host TEXT; UPDATE messages SET of_a_newer_host = 'x' WHERE message_id = 3"), func(r *replica.Result) bool { return r.Replaced == 1 }},
		{"a conversation goes", script("DELETE FROM message_parts WHERE message_id IN (SELECT message_id FROM messages WHERE conversation_id = 2); DELETE FROM messages WHERE conversation_id = 2; DELETE FROM context_items WHERE conversation_id = 2; DELETE FROM conversations WHERE conversation_id = 2"), func(r *replica.Result) bool { return r.Gone == 1 }},
	} {
		changeFile(t, path, c.change)
		changed := testdb.Open(t, path) // A host may have migrated it.
		if r, _ := s.sync(changed, o); !c.want(r) {
			t.Errorf("%s: %d new, %d continued, %d changed, %d deleted conversations, %d tables, %d rows", c.name, r.New, r.Appended, r.Replaced, r.Gone, r.Tables, r.Sent.Rows)
		}
	}
}

// script returns what runs statements.
func script(text string) func(h *fakehost.Writer) error {
	return func(h *fakehost.Writer) error { return h.Script(text) }
}

// TestAFullSyncSeesWhatNobodyWrites: a stranger's rewrite of a text to another one of the same length.
func TestAFullSyncSeesWhatNobodyWrites(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	o := options("laptop")
	s.sync(testdb.Open(t, path), o)
	changeFile(t, path, script("UPDATE messages SET content = 'X' || substr(content, 2) WHERE message_id = 2"))
	db := testdb.Open(t, path)
	r, err := replica.Sync(t.Context(), db, s.address, o)
	if err != nil || r.Replaced != 0 || r.Full {
		t.Fatalf("the lengths are equal: %+v, %v", r, err)
	}
	o.Now = func() time.Time { return time.Now().Add(25 * time.Hour) }
	if r, _ := s.sync(db, o); !r.Full || r.Replaced != 1 {
		t.Errorf("a day later: %+v", r)
	}
}

// TestAnUnchangedFileIsNotRead: where its sizes and times are those of the last sync, nothing of it is compared, nobody else is waited for,
// and it is found equal now.
func TestAnUnchangedFileIsNotRead(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	age(t, path)
	o := options("laptop")
	db := testdb.Open(t, path)
	s.sync(db, o)
	held, err := s.address.Hold(t.Context(), "sync to", "lcm-tui source laptop", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	before := s.count("SELECT (extract(epoch FROM synced_at) * 1000000)::bigint FROM lcm.sources")
	r, err := replica.Sync(t.Context(), db, s.address, o)
	if err != nil || !r.Unchanged {
		t.Fatalf("%+v, %v", r, err)
	}
	if after := s.count("SELECT (extract(epoch FROM synced_at) * 1000000)::bigint FROM lcm.sources"); after <= before {
		t.Error("it isn't found equal now")
	}
}

// TestAnotherDatabaseDoesNotTakeThePlace of a source with the same name.
func TestAnotherDatabaseDoesNotTakeThePlace(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	o := options("laptop")
	s.sync(testdb.Open(t, testdb.Sample(t, fakehost.Head)), o)
	other := testdb.Open(t, testdb.Fixture(t, "v0.15.3/small.db"))
	if _, err := replica.Sync(t.Context(), other, s.address, o); err == nil {
		t.Error("the rows of another database were sent")
	} else if n := s.count("SELECT refused_syncs FROM lcm.lag_metrics WHERE name = 'laptop'"); !errors.Is(err, replica.ErrAnotherDatabase) || n != 1 {
		t.Errorf("%v, %d refusals", err, n)
	}
}

// TestTwoSyncsAtOnce: the second is refused in a way that says to try again, and goes on once the first ended.
func TestTwoSyncsAtOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	o := options("laptop")
	held, err := s.address.Hold(t.Context(), "sync to", "lcm-tui source laptop", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replica.Sync(t.Context(), db, s.address, o); !isLocked(err) {
		t.Fatalf("beside another sync: %v", err)
	}
	held.Release()
	o.Wait = time.Second
	s.sync(db, o)
}

// isLocked reports whether others hold a lock.
func isLocked(err error) bool { return errors.Is(err, data.ErrLocked) }

// age gives a file times that are long past, so that its stamp is settled.
func age(t *testing.T, path string) {
	t.Helper()
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, past, past); err != nil {
		t.Fatal(err)
	}
}

// TestALargeConversationIsNotSentAgain: after a message more, tables of which the replica has the same rows are left as they are, also for
// searching. A summary that changed is found by its new words.
func TestALargeConversationIsNotSentAgain(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	changeFile(t, path, script(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
		INSERT INTO summaries (summary_id, conversation_id, kind, content, token_count, created_at) SELECT 'many-' || i, 1, 'leaf', 'Words of the summary ' || i, 5, '2026-01-01 00:00:00' FROM n;
		UPDATE summaries SET depth = x'00' WHERE summary_id = 'many-7'`))
	o := options("laptop")
	s.sync(testdb.Open(t, path), o)
	docs := func(word string) int64 {
		return s.count("SELECT count(*) FROM lcm.search_docs WHERE kind = 'summary' AND summary_id LIKE 'many-%' AND content_tsv @@ $1::text::tsquery", word)
	}
	for _, c := range []struct {
		name, change string
		isSent       bool // The table of summaries.
		old, new     int64
	}{
		{"a cell that no column can hold", "SELECT 1", true, 500, 0},
		{"it is as the others now", "UPDATE summaries SET depth = 0 WHERE summary_id = 'many-7'", true, 500, 0},
		{"nothing of the summaries", "SELECT 1", false, 500, 0},
		{"a summary is rewritten", "UPDATE summaries SET content = 'Rewritten' WHERE summary_id = 'many-9'", true, 499, 1},
		{"a summary goes", "DELETE FROM summaries WHERE summary_id = 'many-9'", true, 499, 0},
	} {
		changeFile(t, path, func(h *fakehost.Writer) error {
			if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "One message more."}); err != nil {
				return err
			}
			return h.Script(c.change)
		})
		r, _ := s.sync(testdb.Open(t, path), o)
		if r.Appended != 1 || c.isSent != (r.Sent.Rows > 400) || !c.isSent && r.Searchable > 100 {
			t.Errorf("%s: %d conversations go on, %d rows and %d texts sent", c.name, r.Appended, r.Sent.Rows, r.Searchable)
		}
		if was, is := docs("word"), docs("rewritten"); was != c.old || is != c.new {
			t.Errorf("%s: %d and %d summaries are found", c.name, was, is)
		}
		if n := s.count("SELECT summaries FROM lcm.sync_conversations WHERE sync_group = 1"); n < 499 {
			t.Errorf("%s: %d summaries counted", c.name, n)
		}
	}
}

// TestAnotherFileInItsPlaceIsNotTakenForTheOpenedOne: a sync with the file that was opened before is refused and notes nothing. Opened
// again, the new file is sent.
func TestAnotherFileInItsPlaceIsNotTakenForTheOpenedOne(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	o := options("laptop")
	opened := testdb.Open(t, path)
	s.sync(opened, o)
	other := testdb.Copy(t, path)
	testdb.Execute(t, other, "UPDATE conversations SET title = 'of the other file' WHERE conversation_id = 1")
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	age(t, path)
	_, err := replica.Sync(t.Context(), opened, s.address, o)
	testdb.WantKind(t, "a sync of the file that was there before", err, data.ErrReplaced)
	again, err := opened.Reopen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	s.sync(again, o)
	if n := s.count("SELECT count(*) FROM lcm.conversations WHERE title = 'of the other file'"); n != 1 {
		t.Errorf("%d conversations are those of the other file", n)
	}
}
