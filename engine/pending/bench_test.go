package pending_test

import (
	"path/filepath"
	"testing"

	"lcm-tui/engine/pending"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// manyBatches makes 200 active batches of 48 messages each, with six leaves and a node above
// them, each of a conversation of 60 messages of 800 bytes.
const manyBatches = `
WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
	INSERT INTO conversations (conversation_id, session_id, session_key) SELECT n, 's' || n, 'agent:main:' || n FROM c;
WITH RECURSIVE m(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM m WHERE n < 59)
	INSERT INTO messages (conversation_id, seq, role, content, token_count)
	SELECT conversation_id, n, CASE n % 2 WHEN 0 THEN 'user' ELSE 'assistant' END, replace(hex(zeroblob(100)), '00', 'text ' || n || '…'), 200 FROM conversations, m;
INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) SELECT conversation_id, seq, 'message', message_id FROM messages;
INSERT INTO pending_compaction_batches (batch_id, conversation_id, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal, planned_fresh_tail_start_ordinal)
	SELECT 'pcb_' || conversation_id, conversation_id, 'x', 0, 47, 54 FROM conversations;
WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < 5)
	INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, status, ordinal_start, ordinal_end, source_fingerprint, content, token_count)
	SELECT 'psn_' || conversation_id || '-leaf-' || n, batch_id, conversation_id, 'leaf', 'ready', n * 8, n * 8 + 7, 'x', replace(hex(zeroblob(400)), '00', 'summary'), 700
	FROM pending_compaction_batches, k;
INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, depth, status, ordinal_start, ordinal_end, source_fingerprint, content, token_count)
	SELECT 'psn_' || conversation_id || '-condensed-d1', batch_id, conversation_id, 'condensed', 1, 'ready', 0, 47, 'x', 'summary', 700 FROM pending_compaction_batches;
INSERT INTO pending_summary_node_messages (node_id, message_id, ordinal)
	SELECT n.node_id, m.message_id, m.seq FROM pending_summary_nodes n JOIN messages m ON m.conversation_id = n.conversation_id AND m.seq BETWEEN n.ordinal_start AND n.ordinal_end
	WHERE n.kind = 'leaf';
INSERT INTO pending_summary_node_children (node_id, ordinal, child_node_id)
	SELECT p.node_id, row_number() OVER (PARTITION BY p.node_id ORDER BY n.ordinal_start) - 1, n.node_id
	FROM pending_summary_nodes p JOIN pending_summary_nodes n ON n.batch_id = p.batch_id AND n.kind = 'leaf' WHERE p.kind = 'condensed'`

// manyBatchesFile returns a file of 200 batches.
func manyBatchesFile(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Beta)
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = faults.Alter(path, manyBatches)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// BenchmarkRead reads and judges a file of 200 active batches.
func BenchmarkRead(b *testing.B) {
	db := testdb.Open(b, manyBatchesFile(b))
	for b.Loop() {
		batches, err := pending.Read(b.Context(), db, 0, 240)
		if err != nil || len(batches) != 200 {
			b.Fatal(len(batches), err)
		}
		for _, batch := range batches {
			if v := batch.Judge(options()); v.Reason != pending.ReasonFingerprint {
				b.Fatal(v)
			}
			batch.Stretches(54)
		}
	}
}

// BenchmarkReadStates is the same for a list of conversations.
func BenchmarkReadStates(b *testing.B) {
	db := testdb.Open(b, manyBatchesFile(b))
	for b.Loop() {
		if states, err := pending.ReadStates(b.Context(), db); err != nil || states[1] != pending.Prepared {
			b.Fatal(states[1], err)
		}
	}
}
