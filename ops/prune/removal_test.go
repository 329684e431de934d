package prune_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/trash"
)

// identities are the columns by which a host knows messages and tool calls again.
const identities = `SELECT group_concat(m.message_id || ' ' || m.seq || ' ' || m.role || ' ' || m.created_at || ' ' || m.token_count || ' ' ||
	ifnull(m.identity_hash, '') || ' ' || ifnull(m.transcript_entry_id, '') || ' ' ||
	ifnull((SELECT group_concat(ifnull(json_extract(p.metadata, '$.raw.id'), '') || ifnull(p.tool_call_id, '') || p.part_type) FROM message_parts p WHERE p.message_id = m.message_id), ''))
	FROM messages m`

// TestForgottenTextsLeaveAllByWhichAHostKnowsThemAndComeBack: for every verb that loses something,
// what is shown to a model stays, and undo restores every byte from the trash.
func TestForgottenTextsLeaveAllByWhichAHostKnowsThemAndComeBack(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, c := range []struct {
		name string
		op   prune.Op
	}{
		{"text", prune.Op{Verb: prune.Text, Selector: selector.Selector{Archived: true}, Uncovered: true}},
		{"payloads", prune.Op{Verb: prune.Payloads, Selector: selector.Selector{Archived: true}, Payload: 1}},
		{"conversations", prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}}},
	} {
		path := testdb.Fixture(t, "v0.15.3/rich.db")
		exec(t, path, "DELETE FROM summary_messages WHERE summary_id IN (SELECT summary_id FROM summaries WHERE conversation_id = 4 AND content LIKE '%LCM%')")
		exec(t, path, "UPDATE messages SET content = content || ' data:image/png;base64,' || hex(zeroblob(600)) WHERE conversation_id = 4 AND seq % 2 = 0 AND trim(content) <> '' AND content NOT LIKE '[LCM%' AND message_id NOT IN (SELECT message_id FROM context_items WHERE message_id IS NOT NULL)")
		exec(t, path, "UPDATE messages_fts SET content = (SELECT content FROM messages WHERE message_id = messages_fts.rowid) WHERE rowid IN (SELECT message_id FROM messages WHERE instr(content, ';base64,') > 0)")
		db := open(t, path)
		before, shown, known := testdb.Dump(t, path), contexts(t, db), testdb.Rows(t, path, identities)
		p, err := c.op.Plan(t.Context(), db, quiet)
		if errors.Is(err, ops.ErrNothing) || err == nil && p.Empty() {
			t.Errorf("%s: nothing qualifies: %+v", c.name, p.RefusedConversations)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		out := apply(t, db, p)
		if c.op.Verb != prune.Conversations {
			checkForgotten(t, path, p.Set.Rows["messages"])
			if is := testdb.Rows(t, path, identities); is[0] != known[0] {
				t.Errorf("%s: a host knows messages no longer", c.name)
			}
			if contexts(t, db) != shown {
				t.Errorf("%s: a context is another one now", c.name)
			}
		}
		again, err := c.op.Plan(t.Context(), db, quiet)
		if err == nil && !again.Empty() {
			t.Errorf("%s: it plans %v again", c.name, again.Set.Rows)
		}
		if err := ops.Undo(t.Context(), db, out.Record); err != nil {
			t.Fatalf("%s: undo: %v", c.name, err)
		}
		if testdb.Dump(t, path) != before {
			t.Errorf("%s: undo didn't restore every byte", c.name)
		}
	}
}

// checkForgotten checks the stubs of so many messages, their parts and the search table.
func checkForgotten(t *testing.T, path string, want int64) {
	t.Helper()
	stubs := testdb.Rows(t, path, "SELECT content FROM messages WHERE content LIKE '[LCM Forgotten: %'")
	for _, s := range stubs {
		if !data.IsForgotten(s) {
			t.Errorf("%q is no stub", s)
		}
	}
	for query, n := range map[string]int{
		"SELECT count(*) FROM messages WHERE content LIKE '[LCM Forgotten: %'":                                                      int(want),
		"SELECT count(DISTINCT content) FROM messages WHERE content LIKE '[LCM Forgotten: %'":                                       int(want),
		"SELECT count(*) FROM messages_fts WHERE rowid IN (SELECT message_id FROM messages WHERE content LIKE '[LCM Forgotten: %')": 0,
		"SELECT count(*) FROM message_parts p JOIN messages m USING (message_id) WHERE m.content LIKE '[LCM Forgotten: %' AND (p.tool_input IS NOT NULL OR p.tool_output IS NOT NULL OR NOT json_valid(ifnull(p.metadata, '{}')) OR json_extract(p.metadata, '$.raw.text') IS NOT NULL OR p.ordinal > 0 AND p.text_content IS NOT NULL OR p.ordinal = 0 AND p.text_content IS NOT m.content)": 0,
	} {
		if is, err := testdb.Count(path, query); err != nil || is != n {
			t.Errorf("%s: got %d, want %d, %v", query, is, n, err)
		}
	}
}

func TestUndoIsRefusedWhereTheTrashIsGone(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	db := open(t, path)
	out := apply(t, db, plan(t, db, prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}}))
	if err := os.RemoveAll(data.TrashFolder(path)); err != nil {
		t.Fatal(err)
	}
	if err := ops.Undo(t.Context(), db, out.Record); !errors.Is(err, trash.ErrMissing) {
		t.Errorf("it says %v", err)
	}
}

// TestConversationsThatMayGoOnAreRefused: with their reasons, also where they are selected by name.
func TestConversationsThatMayGoOnAreRefused(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.Fixture(t, "v0.15.3/rich.db"))
	p := plan(t, db, prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Conversations: []int64{1, 4}}})
	if len(p.Set.Conversations) != 1 || p.Set.Conversations[0].ID != 4 || len(p.RefusedConversations) != 1 || !strings.Contains(p.RefusedConversations[0].Reason, "active") {
		t.Errorf("chosen %+v, refused %+v", p.Set.Conversations, p.RefusedConversations)
	}
}
