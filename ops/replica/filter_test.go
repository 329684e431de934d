package replica_test

import (
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/replica"
)

// filteredTables are the tables in which a text of a file could stand.
var filteredTables = []string{
	"sources", "conversations", "messages", "message_parts", "summaries", "context_items", "large_files", "search_docs", "odd_cells", "other_rows", "findings", "audit",
	"conversation_bootstrap_state",
}

// quiet is a word of the conversation that isn't sent.
const quiet = "quietword"

// filteredFile returns a file with the conversation 1 of the agent main, and the conversation 2 of the agent private, all of whose texts
// have the word quiet. A row of no conversation has it, too.
func filteredFile(t *testing.T) string {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	changeFile(t, path, script(`UPDATE conversations SET session_key = 'agent:main:cli:1' WHERE conversation_id = 1;
		UPDATE conversations SET session_key = 'agent:private:quietword', title = 'quietword', session_id = 'quietword' WHERE conversation_id = 2;
		UPDATE messages SET content = content || ' quietword' WHERE conversation_id = 2;
		UPDATE messages SET content = 'quietword', seq = seq + 1000000, conversation_id = 'nobody' WHERE message_id = (SELECT max(message_id) FROM messages WHERE conversation_id = 2);
		UPDATE message_parts SET text_content = 'quietword' WHERE message_id IN (SELECT message_id FROM messages WHERE conversation_id = 2);
		UPDATE summaries SET content = content || ' quietword' WHERE conversation_id = 2;
		CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('quietword')`))
	return path
}

// quietRows returns how many rows of the replica have the word quiet.
func (s *server) quietRows() (n int64) {
	s.Helper()
	for _, table := range filteredTables {
		n += s.count("SELECT count(*) FROM lcm." + table + " t WHERE t::text ILIKE '%" + quiet + "%'")
	}
	return n
}

// TestAFilterSendsNoOtherConversation, in no table. Later syncs and the comparison hold to it, and it takes away what was sent before.
func TestAFilterSendsNoOtherConversation(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newServer(t)
	path := filteredFile(t)
	db := testdb.Open(t, path)
	o := options("laptop")
	s.sync(db, o)
	if s.quietRows() < 5 {
		t.Fatal("the word isn't where it is looked for")
	}
	o.Filter = &replica.Filter{Agents: []string{"main"}}
	r, _ := s.sync(db, o)
	if n := s.quietRows(); n > 0 || r.Gone == 0 {
		t.Errorf("%d rows of the replica have the word; %+v", n, r.Plan)
	}
	if n := s.count("SELECT count(*) FROM lcm.messages WHERE conversation_id = 1"); n == 0 {
		t.Error("the chosen conversation isn't there")
	}
	o.Filter = nil
	changeFile(t, path, script("UPDATE messages SET seq = seq + 500000 WHERE conversation_id = 1; UPDATE messages SET token_count = token_count + 1 WHERE conversation_id = 2"))
	for _, full := range []bool{false, true} {
		o.Full = full
		if r, v := s.sync(db, o); s.quietRows() > 0 || v.Rows == 0 || r.New > 0 || r.Filter.IsEmpty() {
			t.Errorf("a later sync, full %t: %+v", full, r.Plan)
		}
	}
	changeFile(t, path, script("UPDATE conversations SET session_key = 'agent:private:1' WHERE conversation_id = 1"))
	if r, _ := s.sync(db, o); r.Gone != 1 || s.count("SELECT count(*) FROM lcm.messages") > 0 {
		t.Errorf("a conversation with another key: %+v", r.Plan)
	}
	o.Filter = &replica.Filter{}
	if r, _ := s.sync(db, o); r.New < 2 || s.quietRows() < 5 {
		t.Errorf("without the filter: %+v", r.Plan)
	}
}

// TestAFilterIsOfSessionKeys: kinds that are given have to match all, and of a kind one value.
func TestAFilterIsOfSessionKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		filter replica.Filter
		key    string
		want   bool
	}{
		{replica.Filter{}, "", true},
		{replica.Filter{Agents: []string{"main", "work"}}, "agent:work:cli:1", true},
		{replica.Filter{Agents: []string{"main"}}, "agent:maintenance:1", false},
		{replica.Filter{Agents: []string{"main"}}, "", false},
		{replica.Filter{Keys: []string{"agent:*:cli:*"}}, "agent:a:cli:1", true},
		{replica.Filter{Keys: []string{"agent:*:cli:*"}}, "agent:a:cli:1:2", false},
		{replica.Filter{Agents: []string{"main"}, Keys: []string{"**:cron:**"}}, "agent:main:cli:1", false},
		{replica.Filter{ExceptKeys: []string{"**:private**"}}, "agent:main:private:1", false},
		{replica.Filter{ExceptKeys: []string{"**:private**"}}, "", true},
	} {
		if got := c.filter.Matches(c.key); got != c.want {
			t.Errorf("%s: %q: %t", c.filter, c.key, got)
		}
	}
}
