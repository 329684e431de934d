package data_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/internal/testdb"
)

// TestWhatTheSchemaDeletesTooComesBack: tables of newer hosts go with a message by a rule
// of the schema, and what these hosts prepare from it goes first; undo brings the former
// back, and not the latter.
func TestWhatTheSchemaDeletesTooComesBack(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v1.0/rich.db")
	db := open(t, path)
	const trusted = `SELECT t.message_id FROM message_transcript_anchor_trust t JOIN pending_summary_node_messages p USING (message_id)
		WHERE NOT EXISTS (SELECT 1 FROM summary_messages s WHERE s.message_id = t.message_id) ORDER BY 1 LIMIT 1`
	id, err := testdb.Count(path, trusted)
	if err != nil || id == 0 {
		t.Skipf("no message that a host both trusts and prepares: %v", err)
	}
	was := dump(t, path)
	b := data.Batch{Op: "test", Title: "delete", Forgets: true}
	for _, table := range []string{"context_items", "message_parts", "messages"} {
		rows, err := db.Images(t.Context(), table, data.Row{"message_id": int64(id)})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			b.Changes = append(b.Changes, db.Delete(table, r))
		}
	}
	record, err := db.Write(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"message_transcript_anchor_trust", "pending_summary_node_messages", "messages"} {
		if n, err := testdb.Count(path, "SELECT count(*) FROM "+table+" WHERE message_id = ?", id); err != nil || n != 0 {
			t.Errorf("%d rows of %s are left, %v", n, table, err)
		}
	}
	if err := db.Undo(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}
