package change_test

import (
	"strings"
	"testing"

	"lcm-tui/data/change"
	"lcm-tui/internal/testdb"
)

// TestAPlanDeletesNodesOfAStaleBatch: the others keep their texts, and a node that counts as
// published although the batch isn't becomes stale too. Undo restores the nodes as stale.
func TestAPlanDeletesNodesOfAStaleBatch(t *testing.T) {
	t.Parallel()
	h, db, batch := preparing(t)
	ids := testdb.Rows(t, db.Path(), "SELECT node_id FROM pending_summary_nodes ORDER BY ordinal_start")
	must(t, h.Exec("UPDATE pending_summary_nodes SET status = 'promoted', content = NULL WHERE node_id = ?", ids[1]))
	links := testdb.Rows(t, db.Path(), "SELECT node_id, message_id FROM pending_summary_node_messages")
	stale, err := change.StaleBatches(t.Context(), db, "a test gave it up", batch)
	must(t, err)
	gone, err := change.DeleteNodes(t.Context(), db, ids[0], ids[0], "psn_none")
	must(t, err)
	if len(gone) < 2 || gone[len(gone)-1].Table != "pending_summary_nodes" {
		t.Fatalf("a node is deleted by %+v", gone)
	}
	out, err := change.WriteBatch(t.Context(), db, change.Batch{Op: "test", Title: "give up", Changes: append(stale, gone...)})
	must(t, err)
	if status := statusOf(t, db.Path(), batch); status != "stale: a test gave it up" || out.StaleBatches != 1 || out.DeletedBatches != 0 {
		t.Errorf("the batch is %q, %d were made stale, %d deleted", status, out.StaleBatches, out.DeletedBatches)
	}
	rest := func() string {
		return strings.Join(testdb.Rows(t, db.Path(), "SELECT node_id || ' ' || status FROM pending_summary_nodes ORDER BY ordinal_start"), "\n")
	}
	want := strings.Join(ids[1:], " stale\n") + " stale"
	if got := rest(); got != want {
		t.Errorf("the nodes are\n%s\nwant\n%s", got, want)
	}
	noneOpen(t, db.Path())
	must(t, change.Undo(t.Context(), db, out.Record))
	if got := rest(); got != ids[0]+" stale\n"+want {
		t.Errorf("after undo the nodes are\n%s", got)
	}
	if again := testdb.Rows(t, db.Path(), "SELECT node_id, message_id FROM pending_summary_node_messages"); len(again) != len(links) {
		t.Errorf("undo left %d of %d links", len(again), len(links))
	}
}
