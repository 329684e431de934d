package replica_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/replica"
)

// deleteLastMessage deletes the newest message of conversation 1 as a host does.
const deleteLastMessage = `DELETE FROM message_parts WHERE message_id = (SELECT max(message_id) FROM messages WHERE conversation_id = 1);
	DELETE FROM context_items WHERE message_id = (SELECT max(message_id) FROM messages WHERE conversation_id = 1);
	DELETE FROM messages WHERE message_id = (SELECT max(message_id) FROM messages WHERE conversation_id = 1)`

// deleteConversation deletes conversation 2 with everything that belongs to it.
const deleteConversation = `DELETE FROM message_parts WHERE message_id IN (SELECT message_id FROM messages WHERE conversation_id = 2);
	DELETE FROM context_items WHERE conversation_id = 2; DELETE FROM summary_messages WHERE summary_id IN (SELECT summary_id FROM summaries WHERE conversation_id = 2);
	DELETE FROM summaries WHERE conversation_id = 2; DELETE FROM messages WHERE conversation_id = 2; DELETE FROM conversations WHERE conversation_id = 2`

// deletedRows returns how many rows a table has of what was deleted from laptop.
func (s *server) deletedRows(table string) int64 {
	s.Helper()
	return s.count("SELECT count(*) FROM lcm." + table + " t JOIN lcm.sources s USING (source_id) WHERE s.name = 'laptop/deleted'")
}

// wantDeleted compares how many conversations, messages and searchable messages are kept.
func (s *server) wantDeleted(when string, conversations, messages int64) {
	s.Helper()
	c, m := s.deletedRows("conversations"), s.deletedRows("messages")
	found := s.count("SELECT count(DISTINCT message_id) FROM lcm.search_docs d JOIN lcm.sources s USING (source_id) WHERE s.name = 'laptop/deleted' AND d.kind = 'message'")
	if c != conversations || m != messages || found != messages {
		s.Errorf("%s: %d conversations, %d messages, %d of them are found; want %d and %d", when, c, m, found, conversations, messages)
	}
}

// TestWhatTheHostDeletesIsKept in a source of its own, while the source stays equal to the file. What comes back leaves it, and later syncs
// go on until it is ended.
func TestWhatTheHostDeletesIsKept(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	o := options("laptop")
	o.KeepDeleted = new(true)
	s.sync(db, o)
	s.wantDeleted("at first", 0, 0)
	ofTwo := s.count("SELECT count(*) FROM lcm.messages WHERE conversation_id = 2")
	o.KeepDeleted = nil
	changeFile(t, path, script("CREATE TABLE spare AS SELECT * FROM messages; "+deleteLastMessage))
	if r, _ := s.sync(db, o); r.Kept == 0 || !r.KeepsDeleted {
		t.Errorf("%+v", r)
	}
	s.wantDeleted("after a message", 1, 1)
	changeFile(t, path, script(deleteConversation))
	s.sync(db, o)
	s.wantDeleted("after a conversation", 2, 1+ofTwo)
	if r, _ := s.sync(db, o); r.Sent.Rows > 0 || r.Kept > 0 {
		t.Errorf("again: %+v", r)
	}
	if n := s.deletedRows("message_parts"); n == 0 {
		t.Error("no parts are kept")
	}
	changeFile(t, path, script("INSERT INTO messages SELECT * FROM spare WHERE message_id = (SELECT max(message_id) FROM spare WHERE conversation_id = 1)"))
	s.sync(db, o)
	s.wantDeleted("after a message came back", 1+1, ofTwo) // Its parts are still deleted.
	o.KeepDeleted = new(false)
	changeFile(t, path, script(deleteLastMessage))
	s.sync(db, o)
	s.wantDeleted("without keeping", 1+1, ofTwo)
	if _, names, err := replica.Forget(t.Context(), s.conn, "laptop", "me", "test"); err != nil || !slices.Equal(names, []string{"laptop", "laptop/deleted"}) || s.count("SELECT count(*) FROM lcm.messages") > 0 {
		t.Errorf("forgot %q, %v", names, err)
	}
}

// TestAConversationThatIsDeletedAfterSomeOfItsMessagesIsKeptOnce: its row is there already, with these messages.
func TestAConversationThatIsDeletedAfterSomeOfItsMessagesIsKeptOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	o := options("laptop")
	o.KeepDeleted = new(true)
	s.sync(db, o)
	ofTwo := s.count("SELECT count(*) FROM lcm.messages WHERE conversation_id = 2")
	for _, gone := range []string{strings.ReplaceAll(deleteLastMessage, "conversation_id = 1", "conversation_id = 2"), deleteConversation} {
		changeFile(t, path, script(gone))
		s.sync(db, o)
	}
	s.wantDeleted("after a message and then its conversation", 1, ofTwo)
}

// TestKeepingDeletedRowsDoesNotTakeTheSquareOfTheirNumber: a message that the host deletes moves all rows of its conversation, and each is
// looked for among those that the file still has.
func TestKeepingDeletedRowsDoesNotTakeTheSquareOfTheirNumber(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := testdb.Sample(t, fakehost.Head)
	const parts = 1000
	testdb.Execute(t, path, fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal) SELECT 'more-' || i, min(message_id), 's', 'text', i FROM messages, n WHERE conversation_id = 1 GROUP BY i`, 99+parts))
	db := testdb.Open(t, path)
	o := options("laptop")
	o.KeepDeleted = new(true)
	s.sync(db, o)
	testdb.Execute(t, path, deleteLastMessage)
	s.sync(db, o)
	if n := s.count("SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE schemaname = 'lcm' AND relname = 'message_parts'"); n > 30*parts {
		t.Errorf("%d rows were read of %d parts", n, parts)
	}
}

// TestWhatIsDeletedIsSentNoLongerThanTheRest: a narrower filter, less of each conversation, and secrets that are taken out, hold for what was
// deleted before, too.
func TestWhatIsDeletedIsSentNoLongerThanTheRest(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := filteredFile(t)
	db := testdb.Open(t, path)
	o := options("laptop")
	o.KeepDeleted = new(true)
	s.sync(db, o)
	changeFile(t, path, script(deleteConversation+"; "+deleteLastMessage))
	s.sync(db, o)
	if s.deletedRows("conversations") != 2 {
		t.Fatal("nothing is kept")
	}
	o.Filter = &replica.Filter{Agents: []string{"main"}}
	s.sync(db, o)
	if n := s.deletedRows("conversations"); n != 1 || s.quietRows() > 0 {
		t.Errorf("%d deleted conversations are left, %d rows with the word", n, s.quietRows())
	}
	o.Level = replica.LevelSummaries
	s.sync(db, o)
	if n := s.deletedRows("messages") + s.deletedRows("message_parts"); n > 0 {
		t.Errorf("%d deleted messages are left at a lower level", n)
	}
}

// TestWhatAFilterTakesAwayIsNotKept: it isn't deleted at the host.
func TestWhatAFilterTakesAwayIsNotKept(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	db := testdb.Open(t, filteredFile(t))
	o := options("laptop")
	o.KeepDeleted = new(true)
	s.sync(db, o)
	o.Filter = &replica.Filter{Agents: []string{"main"}}
	if r, _ := s.sync(db, o); r.Kept > 0 || s.quietRows() > 0 {
		t.Errorf("%+v, %d rows with the word", r, s.quietRows())
	}
}

// TestNoFileIsSentToDeletedRows: the name is taken.
func TestNoFileIsSentToDeletedRows(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	if _, err := replica.Sync(t.Context(), testdb.Open(t, testdb.Sample(t, fakehost.Head)), s.address, options("laptop/deleted")); err == nil || s.count("SELECT count(*) FROM lcm.sources") > 0 {
		t.Errorf("%v", err)
	}
}
