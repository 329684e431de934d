package change

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// addDeleted adds the batches that a plan deletes, and those that go with other rows. Batches
// of which the plan only deletes nodes are stale and stay.
func addDeleted(ctx context.Context, t *tx, deleted, stale *batchSet, own, others []Change) error {
	for _, c := range own {
		if c.After != nil {
			continue
		}
		if of, err := batchOf(ctx, t, c); err != nil {
			return err
		} else if c.Table != data.PendingBatchTable && of != nil && stale.has(of) {
			continue
		}
		if id, known := c.Before["batch_id"]; known {
			deleted.add(id)
		} else if err := addBatches(ctx, t, deleted, "batch_id IN (SELECT batch_id FROM "+data.PendingNodeTable+" WHERE node_id = ?)", c.Before["node_id"]); err != nil {
			return err
		}
	}
	var some bool
	if err := t.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+data.PendingBatchTable+")").Scan(&some); err != nil || !some {
		return err
	}
	for _, c := range others {
		for _, where := range deletedWith(t, c) {
			if err := addBatches(ctx, t, deleted, where, c.Before[namedBy[c.Table]]); err != nil {
				return err
			}
		}
	}
	return nil
}

// batchOf returns the id of the batch to which a row of a pending table belongs, or nil.
func batchOf(ctx context.Context, t *tx, c Change) (any, error) {
	if id, known := c.Before["batch_id"]; known {
		return id, nil
	}
	if !t.Schema.Has(data.PendingNodeTable, "node_id", "batch_id") {
		return nil, nil
	}
	r, err := t.Row(ctx, data.PendingNodeTable, data.Row{"node_id": c.Before["node_id"]}, []string{"batch_id"})
	return r["batch_id"], err
}

// deletedNodes returns the changes of a plan that delete rows of batches which stay.
func deletedNodes(ctx context.Context, t *tx, own []Change, deleted *batchSet) (out []Change, err error) {
	for _, c := range own {
		if c.After != nil || c.Table == data.PendingBatchTable {
			continue
		}
		of, err := batchOf(ctx, t, c)
		if err != nil {
			return nil, err
		}
		if of != nil && !deleted.has(of) {
			out = append(out, c)
		}
	}
	return out, nil
}

// addBatches adds the batches for which a condition holds.
func addBatches(ctx context.Context, t *tx, to *batchSet, where string, arg any) error {
	rows, err := rowsWhere(ctx, t, data.PendingBatchTable, []string{"batch_id"}, where, arg)
	for _, r := range rows {
		to.add(r["batch_id"])
	}
	return err
}

// deletedWith returns the conditions of the batches that go with a row that changes, given its
// id.
func deletedWith(t *tx, c Change) (where []string) {
	const naming = "batch_id IN (SELECT n.batch_id FROM " + data.PendingNodeTable + " n JOIN "
	switch {
	case c.Before == nil:
	case c.Table == "conversations" && c.After == nil:
		where = append(where, "conversation_id = ?")
	case c.Table == "conversations" && c.archives() && t.Schema.Has(data.PendingBatchTable, "status"):
		where = append(where, "conversation_id = ? AND "+lcm.ActiveBatch)
	case c.After != nil:
	case c.Table == "messages" && hasNodeLinks(t, data.PendingNodeMessageTable, "message_id"):
		where = append(where, naming+data.PendingNodeMessageTable+" l ON l.node_id = n.node_id WHERE l.message_id = ?)")
	case c.Table == "summaries" && hasNodeLinks(t, data.PendingNodeChildTable, "child_summary_id"):
		where = append(where, naming+data.PendingNodeChildTable+" l ON l.node_id = n.node_id WHERE l.child_summary_id = ?)")
	}
	return where
}

// archives reports whether the change of a conversation archives it.
func (c Change) archives() bool {
	was, known := c.Before["active"]
	is, set := c.After["active"]
	return known && set && data.CellInteger(was) != 0 && data.CellInteger(is) == 0
}

// forgottenSummaries returns the changes that clear the summary of published nodes where that
// is deleted, as the schema does. The nodes of batches that are deleted have none.
func forgottenSummaries(ctx context.Context, t *tx, cs []Change, deleted *batchSet) (out []Change, err error) {
	const column = "canonical_summary_id"
	if !t.Schema.Has(data.PendingNodeTable, "node_id", "batch_id", column) {
		return nil, nil
	}
	_, gone := createdAndDeleted(cs)
	var ids []any
	for id := range gone["summaries"] {
		ids = append(ids, id)
	}
	for chunk := range slices.Chunk(ids, data.MaxArgs) {
		rows, err := rowsWhere(ctx, t, data.PendingNodeTable, []string{"node_id", "batch_id", column}, column+" IN ("+data.Marks(len(chunk))+")", chunk...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r["node_id"] != nil && !deleted.has(r["batch_id"]) {
				out = append(out, updateOf(t, data.PendingNodeTable, r, data.Row{column: nil}))
			}
		}
	}
	return out, nil
}
