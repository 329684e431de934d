package data

import (
	"context"
	"fmt"
)

// openNode is the condition of a node that becomes stale with its batch.
const openNode = "status IN ('planned', 'running', 'ready', 'failed')"

// StaleBatches returns the changes that make pending batches stale, as a host does when it
// gives them up: the batches get the status stale and the reason as failure_summary, and their
// nodes that are planned, running, ready or failed become stale without a lease. Texts stay.
// Batches that are stale already, or that don't exist, have no changes.
//
// A plan that has these changes is stale itself when one of the rows is another by then. Undo
// leaves the batches stale: a host that is about to publish must not find them active again.
func (db *DB) StaleBatches(ctx context.Context, reason string, batches ...string) (out []Change, err error) {
	return db.batchChanges(ctx, batches, func(t *tx, id any) ([]Change, error) { return t.staleBatch(ctx, id, reason) })
}

// DeleteBatches returns the changes that delete pending batches with their nodes and links.
// Batches that don't exist have no changes.
//
// A plan that has these changes is stale itself when one of the rows is another by then. Undo
// restores the rows with their texts, but a batch that was active, and its open nodes, as
// stale.
func (db *DB) DeleteBatches(ctx context.Context, batches ...string) (out []Change, err error) {
	return db.batchChanges(ctx, batches, func(t *tx, id any) ([]Change, error) { return t.deletedBatch(ctx, id) })
}

// DeleteNodes returns the changes that delete nodes of a pending batch with their links. A plan
// that makes the batch stale may have them, for nodes that no host could publish; undo restores
// them as stale.
func (db *DB) DeleteNodes(ctx context.Context, nodes ...string) (out []Change, err error) {
	return db.batchChanges(ctx, nodes, func(t *tx, id any) ([]Change, error) { return t.deletedNode(ctx, id) })
}

// batchChanges collects the changes of several batches or nodes, each once, as the file is now.
func (db *DB) batchChanges(ctx context.Context, ids []string, changes func(t *tx, id any) ([]Change, error)) (out []Change, err error) {
	err = db.snapshot(ctx, "read pending batches", func(t *tx) error {
		seen := map[string]bool{}
		for _, id := range ids {
			cs, err := changes(t, id)
			if err != nil {
				return err
			}
			for _, c := range cs {
				if label := c.Label(); !seen[label] {
					seen[label], out = true, append(out, c)
				}
			}
		}
		return nil
	})
	return out, err
}

// staleBatch returns the changes that make a batch and its open nodes stale. A published node of
// a batch that becomes stale is an error of another program, and becomes stale with it.
func (t *tx) staleBatch(ctx context.Context, id any, reason string) (out []Change, err error) {
	if !t.Schema.Has(PendingBatchTable, "batch_id", "status") {
		return nil, nil
	}
	rows, err := t.rowsWhere(ctx, PendingBatchTable, t.Schema.Columns(PendingBatchTable), "batch_id = ? AND status IS NOT 'stale'", id)
	for _, r := range rows {
		out = append(out, t.updateOf(PendingBatchTable, r, Row{"status": BatchStale, "failure_summary": reason, updatedAtColumn: FormatTime(t.Now)}))
	}
	if err != nil || len(rows) == 0 || !t.Schema.Has(PendingNodeTable, "node_id", "batch_id", "status") {
		return out, err
	}
	stale := Row{"status": NodeStale, "lease_owner": nil, "lease_expires_at": nil, updatedAtColumn: FormatTime(t.Now)}
	columns := append(stale.Columns(), "node_id", "batch_id") // Not the text, which stays.
	nodes, err := t.rowsWhere(ctx, PendingNodeTable, columns, "batch_id = ? AND node_id IS NOT NULL AND ("+openNode+" OR status = 'promoted')", id)
	for _, r := range nodes {
		out = append(out, t.updateOf(PendingNodeTable, r, stale))
	}
	return out, err
}

// deletedBatch returns the changes that delete a batch with its nodes and links, the batch
// last.
func (t *tx) deletedBatch(ctx context.Context, id any) (out []Change, err error) {
	const ofNodes = "node_id IN (SELECT node_id FROM " + PendingNodeTable + " WHERE batch_id = ?)"
	for _, from := range []struct{ table, key, where string }{
		{PendingNodeChildTable, "node_id", ofNodes}, {PendingNodeMessageTable, "node_id", ofNodes}, {PendingNodeTable, "batch_id", "batch_id = ?"}, {PendingBatchTable, "batch_id", "batch_id = ?"},
	} {
		if !t.Schema.Has(from.table, from.key) || from.where == ofNodes && !t.Schema.Has(PendingNodeTable, "node_id", "batch_id") {
			continue
		}
		rows, err := t.rowsWhere(ctx, from.table, t.Schema.Columns(from.table), from.where, id)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out = append(out, Change{Table: from.table, Key: t.pendingKey(from.table), Before: r})
		}
	}
	return out, nil
}

// deletedNode returns the changes that delete a node with the links from it and to it, the node
// last.
func (t *tx) deletedNode(ctx context.Context, id any) (out []Change, err error) {
	for _, from := range []struct{ table, column string }{
		{PendingNodeChildTable, "node_id"}, {PendingNodeChildTable, "child_node_id"}, {PendingNodeMessageTable, "node_id"}, {PendingNodeTable, "node_id"},
	} {
		if !t.Schema.Has(from.table, "node_id", from.column) {
			continue
		}
		rows, err := t.rowsWhere(ctx, from.table, t.Schema.Columns(from.table), from.column+" = ?", id)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out = append(out, Change{Table: from.table, Key: t.pendingKey(from.table), Before: r})
		}
	}
	return out, nil
}

// rowsWhere reads rows of a table, as far as it has the columns.
func (t *tx) rowsWhere(ctx context.Context, table string, columns []string, where string, args ...any) (out []Row, err error) {
	var there []string
	for _, column := range columns {
		if t.Schema.Has(table, column) {
			there = append(there, column)
		}
	}
	query := "SELECT " + quoteAll(there) + " FROM " + QuoteName(table) + " WHERE " + where
	err = EachRow(ctx, t, query, args, func(scan RowScanner) error {
		r, err := scanRow(scan, there)
		out = append(out, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", table, err)
	}
	return out, nil
}

// updateOf returns the change of columns of a row, as far as the row has them.
func (t *tx) updateOf(table string, r, columns Row) Change {
	after := r.pick(r.Columns())
	for column, v := range columns {
		if _, known := r[column]; known {
			after[column] = v
		}
	}
	return Change{Table: table, Key: t.pendingKey(table), Before: r, After: after}
}

// pendingKey returns the columns that name a row of a pending table, also where the file
// declares no key.
func (t *tx) pendingKey(table string) []string {
	switch key := t.Schema.Key(table); {
	case len(key) > 0:
		return key
	case table == PendingBatchTable:
		return []string{"batch_id"}
	case table == PendingNodeMessageTable:
		return []string{"node_id", "message_id"}
	case table == PendingNodeChildTable:
		return []string{"node_id", "ordinal"}
	}
	return []string{"node_id"}
}
