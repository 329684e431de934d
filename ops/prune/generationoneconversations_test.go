package prune_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
)

// rowsOfConversations lists all rows that belong to conversations, by the conditions of the format.
func rowsOfConversations(t *testing.T, path, ids string) (out []string) {
	t.Helper()
	for _, q := range []string{
		"SELECT 'conversation ' || conversation_id FROM conversations WHERE conversation_id IN (%s)",
		"SELECT 'message ' || message_id FROM messages WHERE conversation_id IN (%s)",
		"SELECT 'part ' || part_id FROM message_parts WHERE message_id NOT IN (SELECT message_id FROM messages)",
		"SELECT 'summary ' || summary_id FROM summaries WHERE conversation_id IN (%s)",
		"SELECT 'item ' || ordinal FROM context_items WHERE conversation_id IN (%s)",
		"SELECT 'batch ' || batch_id FROM pending_compaction_batches WHERE conversation_id IN (%s)",
		"SELECT 'node ' || node_id FROM pending_summary_nodes WHERE conversation_id IN (%s) OR batch_id NOT IN (SELECT batch_id FROM pending_compaction_batches)",
		"SELECT 'link ' || message_id FROM pending_summary_node_messages WHERE node_id NOT IN (SELECT node_id FROM pending_summary_nodes)",
		"SELECT 'child ' || ordinal FROM pending_summary_node_children WHERE node_id NOT IN (SELECT node_id FROM pending_summary_nodes)",
		"SELECT 'trust ' || message_id FROM message_transcript_anchor_trust WHERE conversation_id IN (%s) OR message_id NOT IN (SELECT message_id FROM messages)",
		"SELECT 'epoch ' || conversation_id FROM conversation_transcript_epochs WHERE conversation_id IN (%s)",
		"SELECT 'file ' || file_id FROM large_files WHERE conversation_id IN (%s)",
		"SELECT 'search ' || rowid FROM messages_fts WHERE rowid NOT IN (SELECT message_id FROM messages)",
		"SELECT 'violation ' || \"table\" FROM pragma_foreign_key_check",
	} {
		out = append(out, testdb.Rows(t, path, strings.ReplaceAll(q, "%s", ids))...)
	}
	return out
}

// TestArchivedConversationsOfOneGo: with all that belongs to them, but with the receipts of turns of a session that goes
// on or that the host knows. The others are as they were for the host, and undo gives all back but
// what was being prepared.
func TestArchivedConversationsOfOneGo(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/rich.db")
	was := testdb.Copy(t, path)
	db := open(t, path)
	before, receipts := testdb.Dump(t, path), testdb.Rows(t, path, "SELECT * FROM turn_advancements ORDER BY 1")
	p := plan(t, db, prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}, StateFolder: stateOf(t, "rich")})
	if len(p.Set.Conversations) != 2 || len(p.RefusedConversations) > 0 {
		t.Fatalf("%+v go, refused %+v", p.Set.Conversations, p.RefusedConversations)
	}
	if !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.HasPrefix(n, "the session of conversation 5 goes on") }) {
		t.Errorf("it doesn't say that the successor has messages of 5: %q", p.Notes)
	}
	out := apply(t, db, p)
	if left := rowsOfConversations(t, path, "5, 7"); len(left) > 0 {
		t.Errorf("these rows are left: %q", left)
	}
	if got := testdb.Rows(t, path, "SELECT * FROM turn_advancements ORDER BY 1"); !slices.Equal(got, receipts) {
		t.Errorf("%d of %d receipts are left", len(got), len(receipts))
	}
	same(t, was, path, testdb.Visible(t, stateOf(t, "rich")))
	if err := ops.Undo(t.Context(), db, out.Record); err != nil || testdb.Dump(t, path) != before {
		t.Errorf("undo gives another file, %v", err)
	}
	if n := rowsOf(t, path, "SELECT count(*) FROM pending_compaction_batches WHERE conversation_id IN (5, 7)"); n > 0 {
		t.Errorf("%d batches are back", n)
	}
}

// TestReceiptsGoWithAnUnknownSession: of a session that no host knows, with its last conversation; undo restores
// them.
func TestReceiptsGoWithAnUnknownSession(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v1.0/rich.db")
	db := open(t, path)
	of := func(session string) int {
		return rowsOf(t, path, "SELECT count(*) FROM turn_advancements WHERE session_id = '77777777-0000-4000-8000-00000000000"+session+"'")
	}
	for _, session := range []string{"5", "7"} {
		exec(t, path, "INSERT INTO turn_advancements (advancement_key, payload_hash, session_id, admission_entry_id, terminal_entry_id, message_count) VALUES ('turn"+session+"', 'x', '77777777-0000-4000-8000-00000000000"+session+"', 'a', 'b', 2)")
	}
	five, seven := of("5"), of("7")
	file := testdb.AgentFile(t, 23, testdb.AgentSession{Key: "agent:main:other", ID: "other", Events: []string{`{"type":"session"}`}, At: 1})
	out := apply(t, db, plan(t, db, prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}, StateFolder: agentState(file)}))
	if of("5") != five || of("7") != 0 {
		t.Errorf("%d of %d receipts are left of the session that goes on, and %d of the other", of("5"), five, of("7"))
	}
	if err := ops.Undo(t.Context(), db, out.Record); err != nil || of("7") != seven {
		t.Errorf("undo gives %d of %d back, %v", of("7"), seven, err)
	}
}

// agentState returns the state folder of the host with a database of an agent.
func agentState(file string) string {
	return filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(file))))
}

// TestConversationsOfOneThatStay: a start of the host would store them again, or it may go on with them.
func TestConversationsOfOneThatStay(t *testing.T) {
	t.Parallel()
	const outbox = `CREATE TABLE context_engine_turn_outbox (advancement_key TEXT NOT NULL PRIMARY KEY, session_id TEXT NOT NULL, payload_json TEXT NOT NULL)`
	for _, c := range testlength.Some([]struct {
		name  string
		conv  int64
		edit  string // Of the database.
		store string // Of the host's.
		state string // none, or damaged.
		why   string // Empty is that it goes.
	}{
		{name: "an archived one whose session goes on", conv: 5},
		{name: "its successor has no message", conv: 5, edit: "DELETE FROM pending_compaction_batches; DELETE FROM context_items WHERE conversation_id = 6; DELETE FROM summary_messages; DELETE FROM summary_parents; DELETE FROM messages WHERE conversation_id = 6", why: "its session goes on in conversation 6, which has no message yet"},
		{name: "archived an hour ago", conv: 5, edit: "UPDATE conversations SET archived_at = '2027-05-31 23:30:00' WHERE conversation_id = 5", why: "less than a day ago"},
		{name: "an active one that the host doesn't know", conv: 2},
		{name: "it spoke this week", conv: 2, edit: "UPDATE messages SET created_at = '2027-05-27 00:00:00' WHERE message_id = (SELECT max(message_id) FROM messages WHERE conversation_id = 2)", why: "less than a week old"},
		{name: "its key in session_nodes", conv: 2, store: "INSERT INTO session_nodes VALUES ('agent:main:telegram:dm:4242', 'x', '{}', 1)", why: "the host knows its session agent:main:telegram:dm:4242"},
		{name: "its session in session_windows", conv: 2, store: "INSERT INTO session_windows VALUES ('77777777-0000-4000-8000-000000000002', 'x', NULL, NULL, 1, 1)", why: "the host knows its session 77777777-0000-4000-8000-000000000002"},
		{name: "a turn of it is owed", conv: 2, store: outbox + "; INSERT INTO context_engine_turn_outbox VALUES ('k', '77777777-0000-4000-8000-000000000002', '{}')", why: "the host knows its session"},
		{name: "a turn of its key is owed", conv: 2, store: outbox + `; INSERT INTO context_engine_turn_outbox VALUES ('k', 'x', '{"sessionKey":"agent:main:telegram:dm:4242"}')`, why: "the host knows its session"},
		{name: "no database of the host", conv: 2, state: "none", why: "no database of the host's sessions was found"},
		{name: "a database that can't be read", conv: 2, state: "damaged", why: "can't be read"},
		{name: "no database of its agent", conv: 3, why: "no database with the sessions of agent ops was found"},
		{name: "another refers to its summaries", conv: 5, edit: "INSERT INTO summary_messages SELECT (SELECT summary_id FROM summaries WHERE conversation_id = 1 LIMIT 1), (SELECT message_id FROM messages WHERE conversation_id = 5 LIMIT 1), 99", why: "conversation 1 refers to its messages or summaries"},
	}) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Fixture(t, "v1.0/rich.db")
			file := testdb.AgentFile(t, 23, testdb.AgentSession{Key: "agent:main:other", ID: "other", Events: []string{`{"type":"session"}`}, At: 1})
			for _, e := range strings.Split(c.edit, "; ") {
				if e != "" {
					exec(t, path, e)
				}
			}
			testdb.ExecAgent(t, file, func(run func(string, ...any)) {
				for _, e := range strings.Split(c.store, "; ") {
					if e != "" {
						run(e)
					}
				}
			})
			switch c.state {
			case "none":
				file = filepath.Join(t.TempDir(), "agents", "main", "agent", "x")
			case "damaged":
				if err := os.WriteFile(file, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			p := plan(t, open(t, path), prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Conversations: []int64{c.conv}}, StateFolder: agentState(file)})
			if why := refusal(p, c.conv); (why == "") != (c.why == "") || !strings.Contains(why, c.why) || p.Empty() != (c.why != "") {
				t.Errorf("it says %q, want %q; %v would go", why, c.why, p.Set.Rows)
			}
		})
	}
}

// TestEmptySuccessorBetweenPlanAndWrite: what the plan didn't see keeps the conversation as well.
func TestEmptySuccessorBetweenPlanAndWrite(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v1.0/rich.db")
	db := open(t, path)
	p := plan(t, db, prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Conversations: []int64{7}}})
	exec(t, path, "INSERT INTO conversations (session_id, active) SELECT session_id, 1 FROM conversations WHERE conversation_id = 7")
	if _, err := ops.ApplyPlan(t.Context(), db, p); err == nil || !strings.Contains(err.Error(), "goes on in a conversation without messages") {
		t.Errorf("it says %v", err)
	}
}

// TestBatchesThatAreDone: those that hosts finished a week ago, and what they left active of archived conversations; no other,
// and not for long: what is active or new stays. It can't be undone, and says so.
func TestBatchesThatAreDone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/rich.db")
	was := testdb.Copy(t, path)
	newest := "(SELECT batch_id FROM pending_compaction_batches WHERE status = 'stale' ORDER BY batch_id LIMIT 1)"
	exec(t, path, "UPDATE pending_compaction_batches SET updated_at = '2027-05-28 00:00:00' WHERE batch_id = "+newest)
	db := open(t, path)
	const gone = "SELECT count(*) FROM pending_compaction_batches b WHERE b.status IN ('stale', 'published') AND b.updated_at < '2027-05-25' OR b.conversation_id IN (5, 7)"
	want, all := rowsOf(t, path, gone), rowsOf(t, path, "SELECT count(*) FROM pending_compaction_batches")
	others := testdb.Dump(t, path)
	p := planOf(t, db, &prune.BatchesOp{})
	if n := p.Set.Rows[data.PendingBatchTable]; n != int64(want) || want < 3 {
		t.Errorf("%d batches would go, want %d", n, want)
	}
	out := apply(t, db, p)
	if n := rowsOf(t, path, gone); n > 0 || rowsOf(t, path, "SELECT count(*) FROM pending_compaction_batches") != all-want {
		t.Errorf("%d are left", n)
	}
	if left := rowsOfConversations(t, path, "999"); len(left) > 0 {
		t.Errorf("these rows are left: %q", left)
	}
	if testdb.Dump(t, path) != others {
		t.Error("other rows changed")
	}
	same(t, was, path, testdb.Visible(t, stateOf(t, "rich")))
	if err := ops.Undo(t.Context(), db, out.Record); err == nil || !strings.Contains(err.Error(), "can't be undone") {
		t.Errorf("undo says %v", err)
	}
	if p := planOf(t, db, &prune.BatchesOp{}); !p.Empty() {
		t.Errorf("again, %v would go", p.Set.Rows)
	}
	if _, err := (&prune.BatchesOp{}).Plan(t.Context(), open(t, testdb.Fixture(t, "v0.15.3/small.db")), quiet); err == nil {
		t.Error("a file of 0.15 isn't refused")
	}
}

// planOf plans any operation.
func planOf(t *testing.T, db *data.DB, o ops.Op) ops.Plan {
	t.Helper()
	p, err := o.Plan(t.Context(), db, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWhatTheHostStoredAgainStays: a message that the host has stored again under its entry can't come back, and the
// error names the row that has it.
func TestWhatTheHostStoredAgainStays(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/rich.db")
	db := open(t, path)
	out := apply(t, db, plan(t, db, prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Conversations: []int64{7}}}))
	exec(t, path, "INSERT INTO conversations (conversation_id, session_id, active) VALUES (7, 'again', 0)")
	entry := testdb.Rows(t, testdb.Fixture(t, "v1.0/rich.db"), "SELECT transcript_entry_id FROM messages WHERE conversation_id = 7 AND transcript_entry_id IS NOT NULL ORDER BY seq DESC LIMIT 1")[0]
	exec(t, path, fmt.Sprintf("INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, transcript_entry_id) VALUES (99999, 7, 999, 'user', 'x', 1, '%s')", entry))
	before := testdb.Dump(t, path)
	err := ops.Undo(t.Context(), db, out.Record)
	if err == nil || !strings.Contains(err.Error(), "message 99999 names the same entry of the transcript") {
		t.Errorf("it says %v", err)
	}
	if testdb.Dump(t, path) != before {
		t.Error("some of it came back")
	}
}
