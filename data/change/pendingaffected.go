package change

import (
	"context"
	"fmt"

	"lcm-tui/data"
)

// AffectedBatches returns the pending batches that a write of changes would make stale, and those
// that it would delete, beside the ones that the changes name themselves. It writes nothing.
func AffectedBatches(ctx context.Context, db *data.DB, cs []Change) (stale, deleted []string, err error) {
	if !db.Schema().Has(data.PendingBatchTable, "batch_id", "conversation_id") {
		return nil, nil, nil
	}
	own, others := splitPending(cs)
	err = snapshot(ctx, db, "read pending batches of", func(t *tx) error {
		planned, _, err := plannedStale(own)
		if err != nil {
			return err
		}
		gone, affected := &batchSet{}, &batchSet{}
		if err := addDeleted(ctx, t, gone, planned, nil, others); err != nil {
			return fmt.Errorf("read pending batches: %w", err)
		}
		if err := addAffected(ctx, t, affected, others); err != nil {
			return fmt.Errorf("read pending batches: %w", err)
		}
		for _, id := range affected.ids {
			if !gone.has(id) && !planned.has(id) {
				stale = append(stale, data.CellText(id))
			}
		}
		for _, id := range gone.ids {
			deleted = append(deleted, data.CellText(id))
		}
		return nil
	})
	return stale, deleted, err
}
