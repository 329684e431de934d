package data

import (
	"context"
	"fmt"
)

// AffectedBatches returns the pending batches that a write of changes would make stale, and those
// that it would delete, beside the ones that the changes name themselves. It writes nothing.
func (db *DB) AffectedBatches(ctx context.Context, cs []Change) (stale, deleted []string, err error) {
	if !db.Schema().Has(PendingBatchTable, "batch_id", "conversation_id") {
		return nil, nil, nil
	}
	own, others := splitPending(cs)
	err = db.snapshot(ctx, "read pending batches of", func(t *tx) error {
		planned, _, err := plannedStale(own)
		if err != nil {
			return err
		}
		gone, affected := &batchSet{}, &batchSet{}
		if err := t.addDeleted(ctx, gone, planned, nil, others); err != nil {
			return fmt.Errorf("read pending batches: %w", err)
		}
		if err := t.addAffected(ctx, affected, others); err != nil {
			return fmt.Errorf("read pending batches: %w", err)
		}
		for _, id := range affected.ids {
			if !gone.has(id) && !planned.has(id) {
				stale = append(stale, CellText(id))
			}
		}
		for _, id := range gone.ids {
			deleted = append(deleted, CellText(id))
		}
		return nil
	})
	return stale, deleted, err
}
