package change

import (
	"context"
	"encoding/json"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// batchesOfMessages selects the active batches that a host prepares from messages of a list: those
// whose range has them, and those of which a node names them.
const batchesOfMessages = "SELECT b.batch_id FROM " + data.PendingBatchTable + " b WHERE b." + lcm.ActiveBatch + ` AND (
	EXISTS (SELECT 1 FROM context_items ci WHERE ci.conversation_id = b.conversation_id AND ci.ordinal BETWEEN b.compactable_start_ordinal AND b.compactable_end_ordinal
		AND ci.message_id IN (SELECT value FROM json_each(?1)))
	OR EXISTS (SELECT 1 FROM ` + data.PendingNodeTable + " n JOIN " + data.PendingNodeMessageTable + ` l ON l.node_id = n.node_id WHERE n.batch_id = b.batch_id
		AND l.message_id IN (SELECT value FROM json_each(?1)))) ORDER BY 1`

// GiveUp makes the pending batches stale that a host prepares from some messages, as the host does when it
// gives one up: the batch gets the reason, and its open nodes lose their leases and keep their texts. What
// changes such messages calls it in the same turn: a host looks before the transaction in which it publishes. Undo
// doesn't make them active again. It returns the number of batches; files before 1.0 have none.
func (t *Turn) GiveUp(ctx context.Context, reason string, messages []int64) (batches int64, err error) {
	s := t.Schema()
	if !s.Has(data.PendingBatchTable, "compactable_start_ordinal", "compactable_end_ordinal", "failure_summary") || !s.Has(data.PendingNodeTable, "batch_id", "lease_owner", "lease_expires_at") ||
		!s.Has(data.PendingNodeMessageTable, "node_id", "message_id") || len(messages) == 0 {
		return 0, nil
	}
	list, err := json.Marshal(messages)
	if err != nil {
		return 0, err
	}
	var ids []string
	err = t.EachRow(ctx, batchesOfMessages, []any{string(list)}, func(scan data.RowScanner) error {
		ids = append(ids, "")
		return scan(&ids[len(ids)-1])
	})
	for _, id := range ids {
		if err == nil {
			_, err = t.Exec(ctx, "UPDATE "+data.PendingNodeTable+" SET status = '"+lcm.NodeStale+"', lease_owner = NULL, lease_expires_at = NULL, updated_at = ? WHERE batch_id = ? AND "+openNode,
				data.FormatTime(t.Now()), id)
		}
		if err == nil {
			_, err = t.Exec(ctx, "UPDATE "+data.PendingBatchTable+" SET status = '"+lcm.BatchStale+"', failure_summary = ?, updated_at = ? WHERE batch_id = ?", reason, data.FormatTime(t.Now()), id)
		}
	}
	return int64(len(ids)), err
}
