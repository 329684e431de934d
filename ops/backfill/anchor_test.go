package backfill_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
)

// TestImportedAnchorsAreTrusted: on a file of 1.0, also on an upgraded one, each imported
// message has a row that says where it came from, and undoing the import removes the rows.
func TestImportedAnchorsAreTrusted(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	root := testdb.Fixtures(t)
	for name, make := range map[string]func(*testing.T) string{
		"fresh":    fresh1_0,
		"upgraded": func(t *testing.T) string { t.Helper(); return testdb.Fixture(t, "v1.0/upgraded-small.db") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := make(t)
			db := open(t, path)
			before, err := testdb.DumpTables(path, "lcm_tui_undo", "lcm_tui_undo_part")
			if err != nil {
				t.Fatal(err)
			}
			o := request(t, filepath.Join(root, "v1.0/sessions-rich/main/77777777-0000-4000-8000-000000000001.jsonl"))
			o.Threshold = 600 // Some payloads go into files.
			records := mustApply(t, db, o)
			const imported = "messages WHERE conversation_id = (SELECT max(conversation_id) FROM conversations)"
			if got := query(t, path, "SELECT count(*) n, count(transcript_entry_id) e FROM "+imported); got != "n=590 e=590 \n" {
				t.Errorf("imported: %s", got)
			}
			const trusted = `SELECT count(*) n, count(DISTINCT t.transcript_entry_id) e, min(trust_state) s, max(source) w, sum(t.reason LIKE '%in a file') > 0 f,
				sum(verified_at GLOB '????-??-??T??:??:??.???Z') v, sum(t.created_at GLOB '????-??-?? ??:??:??' AND t.created_at = updated_at) c
				FROM message_transcript_anchor_trust t JOIN messages m ON m.message_id = t.message_id AND m.conversation_id = t.conversation_id
				AND m.transcript_entry_id = t.transcript_entry_id WHERE t.source = 'lcm-tui'`
			if got := query(t, path, trusted); got != "n=590 e=590 s=verified w=lcm-tui f=1 v=590 c=590 \n" {
				t.Errorf("trusted: %s", got)
			}
			for i := len(records) - 1; i >= 0; i-- {
				if err := ops.Undo(t.Context(), db, records[i]); err != nil {
					t.Fatal(err)
				}
			}
			after, err := testdb.DumpTables(path, "lcm_tui_undo", "lcm_tui_undo_part")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("undo left something: -want +got\n%s", diff)
			}
		})
	}
}

// fresh1_0 returns an empty database as a host of 1.0 makes it.
func fresh1_0(t *testing.T) string {
	t.Helper()
	path := testdb.Fixture(t, "v1.0/small.db")
	empty(t, path)
	return path
}

// empty deletes every row that belongs to a conversation.
func empty(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{
		"pending_summary_node_children", "pending_summary_node_messages", "pending_summary_nodes", "pending_compaction_batches", "message_transcript_anchor_trust", "conversation_transcript_epochs", "turn_advancements", "context_items",
		"summary_messages", "summary_parents", "summaries", "summaries_fts", "message_parts", "messages_fts", "messages", "large_files", "focus_brief_sources", "focus_briefs", "conversation_compaction_telemetry", "conversation_compaction_maintenance", "conversations", "sqlite_sequence",
	} {
		if _, err := db.ExecContext(t.Context(), "DELETE FROM "+table); err != nil {
			t.Fatal(err)
		}
	}
}
