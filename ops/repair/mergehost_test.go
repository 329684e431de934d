package repair_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// prepareBoth gives both conversations of a sample a pending batch over their first message, an
// epoch, a trust row and a receipt of a turn.
var prepareBoth = []string{
	`INSERT INTO pending_compaction_batches (batch_id, conversation_id, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal)
		SELECT 'pcb_' || conversation_id, conversation_id, 'f', 0, 3 FROM conversations WHERE conversation_id IN (1, 2)`,
	`INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, content, token_count)
		SELECT 'psn_' || conversation_id, 'pcb_' || conversation_id, conversation_id, 'leaf', 'ready', 0, 3, 'f', 'prepared ' || conversation_id, 3
		FROM conversations WHERE conversation_id IN (1, 2)`,
	`INSERT INTO pending_summary_node_messages (node_id, message_id, ordinal)
		SELECT 'psn_' || conversation_id, min(message_id), 0 FROM messages WHERE conversation_id IN (1, 2) GROUP BY conversation_id`,
	`INSERT INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source)
		SELECT min(message_id), conversation_id, 'entry', 'verified', 'host' FROM messages WHERE conversation_id IN (1, 2) GROUP BY conversation_id`,
	`INSERT INTO conversation_transcript_epochs (conversation_id, session_id, migration_mode)
		SELECT conversation_id, session_id, CASE conversation_id WHEN 1 THEN 'legacy_prefix' ELSE 'verified' END FROM conversations WHERE conversation_id IN (1, 2)`,
	`INSERT INTO turn_advancements (advancement_key, payload_hash, session_id, admission_entry_id, terminal_entry_id, message_count, committed_at)
		SELECT 'turn ' || conversation_id, 'h', session_id, 'a', 'b', 2, '2026-01-05 10:00:00' FROM conversations WHERE conversation_id IN (1, 2)`,
}

// preparedSample returns a sample of 1.0 with a fault, whose conversations have rows in all tables
// of hosts of 1.0.
func preparedSample(t *testing.T, fault string) (path string) {
	t.Helper()
	path = broken(t, fakehost.Beta, fault)
	h, err := fakehost.Open(path)
	for _, q := range prepareBoth {
		if err == nil {
			err = h.Exec(q)
		}
	}
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAMergeJoinsWhatTheHostKeeps: pending batches of both conversations go, trust rows follow
// their messages, and the worse mode of the epochs stays. Undo restores all, batches as stale.
func TestAMergeJoinsWhatTheHostKeeps(t *testing.T) {
	t.Parallel()
	path := preparedSample(t, "rollover-split")
	was := dump(t, path)
	db := open(t, path)
	p, err := (&repair.Op{All: true, Choices: map[string]string{"V04": "merge"}, Faults: []integrity.FaultID{integrity.HistorySplit}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if note := "Moving the ledger #1: 2 pending batches of both conversations are deleted; the host plans new ones"; !slices.Contains(p.Notes, note) {
		t.Errorf("the plan says %q", p.Notes)
	}
	out, err := ops.ApplyPlan(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{
		"SELECT batch_id FROM pending_compaction_batches UNION SELECT node_id FROM pending_summary_nodes": nil,
		"SELECT conversation_id || ' ' || migration_mode FROM conversation_transcript_epochs":             {"2 legacy_prefix"},
		"SELECT DISTINCT conversation_id || '' FROM message_transcript_anchor_trust":                      {"2"},
	} {
		if diff := cmp.Diff(want, testdb.Rows(t, path, query)); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	if out.DeletedBatches != 2 {
		t.Errorf("%d batches were deleted", out.DeletedBatches)
	}
	if err := ops.Undo(t.Context(), db, out.Record); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
	texts := "SELECT b.status || ' ' || n.status || ' ' || content FROM pending_compaction_batches b JOIN pending_summary_nodes n USING (batch_id) ORDER BY 1"
	if diff := cmp.Diff([]string{"stale stale prepared 1", "stale stale prepared 2"}, testdb.Rows(t, path, texts)); diff != "" {
		t.Error(diff)
	}
}

// TestADeletedConversationTakesItsReceipts of turns, unless another conversation has the same
// session, and undo restores them with all else.
func TestADeletedConversationTakesItsReceipts(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		path := preparedSample(t, "subagent")
		end(t, path, 1, 0)
		want := []string{"turn 2"}
		if shared {
			h, err := fakehost.Open(path)
			if err == nil {
				err = errors.Join(h.Exec("UPDATE conversations SET session_id = (SELECT session_id FROM conversations WHERE conversation_id = 1) WHERE conversation_id = 2"), h.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
			want = []string{"turn 1", "turn 2"}
		}
		was := dump(t, path)
		db := open(t, path)
		o := &repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.JobConversation}, Choices: map[string]string{"V06": "delete"}, FilesDir: files(path)}
		p, err := o.Plan(t.Context(), db, noReport)
		if err != nil {
			t.Fatal(err)
		}
		record, err := ops.Apply(t.Context(), db, p)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, testdb.Rows(t, path, "SELECT advancement_key FROM turn_advancements ORDER BY 1")); diff != "" {
			t.Errorf("another conversation has the session: %v: %s", shared, diff)
		}
		if diff := cmp.Diff([]string{"pcb_2"}, testdb.Rows(t, path, "SELECT batch_id FROM pending_compaction_batches")); diff != "" {
			t.Error(diff)
		}
		if err := ops.Undo(t.Context(), db, record); err != nil {
			t.Fatal(err)
		}
		if got := dump(t, path); got != was {
			t.Error(cmp.Diff(was, got))
		}
		status := testdb.Rows(t, path, "SELECT batch_id || ' ' || status FROM pending_compaction_batches ORDER BY 1")
		if diff := cmp.Diff([]string{"pcb_1 stale", "pcb_2 planning"}, status); diff != "" {
			t.Error(diff)
		}
	}
}

// TestAnArchivedConversationKeepsNoActiveBatch: no host would ever look at it again.
func TestAnArchivedConversationKeepsNoActiveBatch(t *testing.T) {
	t.Parallel()
	path := preparedSample(t, "subagent")
	db := open(t, path)
	rows, err := data.Images(t.Context(), db, "conversations", data.Row{"conversation_id": int64(1)})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	_, err = change.Write(t.Context(), db, change.Batch{Op: "test", Title: "archive", Changes: []change.Change{
		change.Update(db, "conversations", rows[0], data.Row{"active": int64(0), "archived_at": "2026-01-06 10:00:00"}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"pcb_2"}, testdb.Rows(t, path, "SELECT batch_id FROM pending_compaction_batches")); diff != "" {
		t.Error(diff)
	}
}
