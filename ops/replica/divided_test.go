package replica_test

import (
	"os"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// divideStatements returns the statements of the documentation that divide the table of messages.
func divideStatements(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/fleet-scale.md")
	if err != nil {
		t.Fatal(err)
	}
	_, statements, _ := strings.Cut(string(page), "```sql\n")
	statements, _, found := strings.Cut(statements, "```")
	if !found {
		t.Fatal("the page has no statements")
	}
	return statements
}

// TestADividedTableGetsItsNewIndexes: a schema whose tables were divided can be brought to the version of this program.
func TestADividedTableGetsItsNewIndexes(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	var older strings.Builder // As versions before 6 had them.
	for _, index := range []string{
		"messages_conversation_id ON lcm.messages (source_id, conversation_id, seq)", "messages_message_id ON lcm.messages (source_id, message_id) INCLUDE (token_count)",
		"message_parts_message_id ON lcm.message_parts (source_id, message_id, ordinal)", "summary_messages_summary_id ON lcm.summary_messages (source_id, summary_id, ordinal)",
		"summary_parents_summary_id ON lcm.summary_parents (source_id, summary_id, ordinal)",
		"context_items_conversation_id ON lcm.context_items (source_id, conversation_id, ordinal)", "conversations_conversation_id ON lcm.conversations (source_id, conversation_id)",
	} {
		name, _, _ := strings.Cut(index, " ")
		older.WriteString("DROP INDEX lcm." + name + "; CREATE INDEX " + index + ";")
	}
	if _, err := s.conn.Exec(t.Context(), "go back", older.String()+divideStatements(t)+"RESET ROLE; DELETE FROM lcm.schema_version WHERE version >= 6"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.conn.Initialize(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	const indexes = "SELECT count(*) FROM pg_indexes WHERE schemaname = 'lcm' AND tablename IN ('messages', 'message_parts', 'summary_messages', 'summary_parents', 'context_items', 'conversations') AND "
	if n := s.count(indexes + "indexdef LIKE '%NULLS FIRST%'"); n != 7 {
		t.Errorf("%d new indexes", n)
	}
	if n := s.count(indexes + `(indexdef LIKE '%, seq)' OR indexdef LIKE '%, ordinal)')`); n != 0 {
		t.Errorf("%d old indexes are left", n)
	}
}

// TestDividedTables: the statements of the documentation divide a table, and rows are sent, compared and changed as before.
func TestDividedTables(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s, statements := newServer(t), divideStatements(t)
	if _, err := s.conn.Exec(t.Context(), "divide", statements+"RESET ROLE"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.conn.Initialize(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	s.sync(db, options("laptop"))
	s.sync(db, options("box"))
	changeFile(t, path, script("UPDATE messages SET seq = seq + 1000"))
	s.sync(db, options("box"))
	if n := s.count("SELECT count(DISTINCT tableoid) FROM lcm.messages"); n != 2 {
		t.Errorf("two sources are in %d parts", n)
	}
	if n := s.count("SELECT count(*) FROM information_schema.role_table_grants WHERE table_name = 'messages' AND grantee = 'lcm_read' AND privilege_type = 'SELECT'"); n != 1 {
		t.Error("readers have no right on the divided table")
	}
}
