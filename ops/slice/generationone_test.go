package slice_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/slice"
)

// rich returns a file that a host of 1.0 wrote, and what the host is shown of its sessions.
func rich(t *testing.T) (*data.DB, map[string][]fakehost.VisibleEntry) {
	t.Helper()
	return testdb.Open(t, testdb.Fixture(t, "v1.0/rich.db")), testdb.Visible(t, filepath.Join(testdb.Fixtures(t), "v1.0/state-rich"))
}

// tablesOfOne are the tables that came with 1.0, with the condition for the rows of conversation %[1]d.
var tablesOfOne = map[string]string{
	data.PendingBatchTable:       "conversation_id = %[1]d",
	data.PendingNodeTable:        "conversation_id = %[1]d",
	data.PendingNodeMessageTable: "node_id IN (SELECT node_id FROM pending_summary_nodes WHERE conversation_id = %[1]d)",
	data.PendingNodeChildTable:   "node_id IN (SELECT node_id FROM pending_summary_nodes WHERE conversation_id = %[1]d)",
	data.AnchorTrustTable:        "conversation_id = %[1]d",
	data.EpochTable:              "conversation_id = %[1]d",
	data.TurnTable:               "session_id = (SELECT session_id FROM conversations WHERE conversation_id = %[1]d)",
}

// TestASliceHasWhatCameWithOne: the rows of all seven tables, receipts of the session too. The same host goes on in
// it as in the source, and finds its batch whole.
func TestASliceHasWhatCameWithOne(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db, visible := rich(t)
	for _, conv := range []int64{1, 2, 9, 6, 7} {
		out := write(t, db, slice.Request{Conversations: []int64{conv}, Search: true})
		for table, where := range tablesOfOne {
			query := "SELECT * FROM " + table + " WHERE " + fmt.Sprintf(where, conv) + " ORDER BY 1, 2, 3"
			if is, want := testdb.Rows(t, out.Path, query), testdb.Rows(t, db.Path(), query); !slices.Equal(is, want) {
				t.Errorf("conversation %d has %d rows of %s, want %d", conv, len(is), table, len(want))
			}
			if n := testdb.Rows(t, out.Path, "SELECT count(*) FROM "+table); n[0] != fmt.Sprint(out.Tables[table]) {
				t.Errorf("conversation %d: %s rows of %s, %d are reported", conv, n[0], table, out.Tables[table])
			}
		}
		session := strings.Trim(testdb.Rows(t, db.Path(), fmt.Sprintf("SELECT session_id FROM conversations WHERE conversation_id = %d AND active", conv)+" UNION ALL SELECT ''")[0], `"`)
		if session == "" {
			continue
		}
		only := testdb.Copy(t, db.Path()) // The sibling of a session starts in the source alone.
		testdb.Execute(t, only, fmt.Sprintf("UPDATE conversations SET active = 0 WHERE conversation_id <> %d", conv))
		for _, d := range testdb.AnchoredDifferences(t, only, out.Path, map[string][]fakehost.VisibleEntry{session: visible[session]}) {
			t.Errorf("conversation %d: %s", conv, d)
		}
		source, copied := fakehostOf(t, testdb.Copy(t, db.Path())), fakehostOf(t, out.Path)
		for _, batch := range testdb.Rows(t, db.Path(), fmt.Sprintf("SELECT batch_id FROM pending_compaction_batches WHERE status = 'planning' AND conversation_id = %d", conv)) {
			want, err := source.Check(batch)
			if err != nil {
				t.Fatal(err)
			}
			if is, err := copied.Check(batch); err != nil || is != want {
				t.Errorf("conversation %d: the batch is %q in the slice, %q in the source (%v)", conv, is, want, err)
			}
		}
	}
}

func fakehostOf(t *testing.T, path string) *fakehost.Host {
	t.Helper()
	h, err := fakehost.Start(path, fakehost.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// TestASliceOfMessagesHasNoBatches: nothing that is prepared from more than the slice has.
func TestASliceOfMessagesHasNoBatches(t *testing.T) {
	t.Parallel()
	db, _ := rich(t)
	out := write(t, db, slice.Request{Messages: []int64{1, 2, 3}})
	for table := range tablesOfOne {
		if n := testdb.Rows(t, out.Path, "SELECT count(*) FROM "+table); n[0] != "0" {
			t.Errorf("%s rows of %s", n[0], table)
		}
	}
}

// TestCutContextsKeepNoBatches: a batch that was prepared from items or messages that the slice lacks isn't in it, while
// those of other conversations are.
func TestCutContextsKeepNoBatches(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"an item of the context": "UPDATE context_items SET message_id = (SELECT min(message_id) FROM messages WHERE conversation_id = 9) WHERE conversation_id = 2 AND ordinal = 20",
		"a message of a node": `UPDATE pending_summary_node_messages SET message_id = (SELECT min(message_id) FROM messages WHERE conversation_id = 9)
			WHERE node_id = (SELECT min(node_id) FROM pending_summary_nodes WHERE conversation_id = 2) AND ordinal = 0`,
	} {
		path := testdb.Fixture(t, "v1.0/rich.db")
		testdb.Execute(t, path, statement,
			"UPDATE summary_messages SET message_id = (SELECT min(message_id) FROM messages WHERE conversation_id = 9) WHERE rowid = (SELECT min(l.rowid) FROM summary_messages l JOIN summaries s USING (summary_id) WHERE s.conversation_id = 1)")
		db := testdb.Open(t, path)
		out := write(t, db, slice.Request{Conversations: []int64{1, 2}, Lineage: slice.LineageCut})
		left := testdb.Rows(t, out.Path, "SELECT DISTINCT conversation_id FROM pending_compaction_batches UNION SELECT conversation_id FROM pending_summary_nodes")
		if !slices.Equal(left, []string{"1"}) || out.Dangling != 0 {
			t.Errorf("%s: batches of conversations %q are left, %d references dangle", name, left, out.Dangling)
		}
	}
}

// TestDetachedOne: for another machine the conversations are archived, which is what a host there would do; nothing
// makes it freeze one.
func TestDetachedOne(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, name := range []string{"v1.0/rich.db", "v1.0/upgraded.db"} {
		db := testdb.Open(t, testdb.Fixture(t, name))
		out := write(t, db, slice.Request{Conversations: []int64{1, 2}, Detach: true})
		for query, want := range map[string]string{
			"SELECT count(*) FROM conversations WHERE active <> 0 OR archived_at IS NULL":       "0",
			"SELECT count(*) FROM conversations WHERE bootstrapped_at IS NULL":                  "0",
			"SELECT count(*) FROM pending_compaction_batches":                                   "0",
			"SELECT count(*) FROM pending_summary_nodes":                                        "0",
			"SELECT count(*) FROM pending_summary_node_messages":                                "0",
			"SELECT count(*) FROM conversation_compaction_maintenance WHERE pending OR running": "0",
		} {
			if is := testdb.Rows(t, out.Path, query); is[0] != want {
				t.Errorf("%s: %s: %s, want %s", name, query, is[0], want)
			}
		}
		if len(out.Active) > 0 || out.EndedElsewhere {
			t.Errorf("%s: active are %d", name, out.Active)
		}
	}
}

// TestAnActiveSliceOfOneSaysWhatAHostElsewhereDoes with it: what the played host does.
func TestAnActiveSliceOfOneSaysWhatAHostElsewhereDoes(t *testing.T) {
	t.Parallel()
	db, _ := rich(t)
	out := write(t, db, slice.Request{Conversations: []int64{2}})
	if w := strings.Join(out.Warnings(), "\n"); !out.EndedElsewhere || !strings.Contains(w, "archives it at its first start") {
		t.Errorf("the warnings are %q", w)
	}
	other := []fakehost.VisibleEntry{}
	if is, err := fakehost.WouldImport(fakehostOf(t, out.Path), 2, other); err != nil || !is.Archived {
		t.Errorf("%+v, %v", is, err)
	}
	zero := write(t, testdb.Open(t, testdb.Sample(t, fakehost.Head)), slice.Request{Conversations: []int64{1}, Lineage: slice.LineageTake})
	if w := strings.Join(zero.Warnings(), "\n"); strings.Contains(w, "first start") {
		t.Errorf("of an older file the warnings are %q", w)
	}
}
