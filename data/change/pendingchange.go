package change

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
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
func StaleBatches(ctx context.Context, db *data.DB, reason string, batches ...string) (out []Change, err error) {
	return batchChanges(ctx, db, batches, func(t *tx, id any) ([]Change, error) { return staleBatch(ctx, t, id, reason) })
}

// DeleteBatches returns the changes that delete pending batches with their nodes and links.
// Batches that don't exist have no changes.
//
// A plan that has these changes is stale itself when one of the rows is another by then. Undo
// restores the rows with their texts, but a batch that was active, and its open nodes, as
// stale.
func DeleteBatches(ctx context.Context, db *data.DB, batches ...string) (out []Change, err error) {
	return batchChanges(ctx, db, batches, func(t *tx, id any) ([]Change, error) { return deletedBatch(ctx, t, id) })
}

// DeleteNodes returns the changes that delete nodes of a pending batch with their links. A plan
// that makes the batch stale may have them, for nodes that no host could publish; undo restores
// them as stale.
func DeleteNodes(ctx context.Context, db *data.DB, nodes ...string) (out []Change, err error) {
	return batchChanges(ctx, db, nodes, func(t *tx, id any) ([]Change, error) { return deletedNode(ctx, t, id) })
}

// batchChanges collects the changes of several batches or nodes, each once, as the file is now.
func batchChanges(ctx context.Context, db *data.DB, ids []string, changes func(t *tx, id any) ([]Change, error)) (out []Change, err error) {
	err = snapshot(ctx, db, "read pending batches", func(t *tx) error {
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
func staleBatch(ctx context.Context, t *tx, id any, reason string) (out []Change, err error) {
	if !t.Schema.Has(data.PendingBatchTable, "batch_id", "status") {
		return nil, nil
	}
	rows, err := rowsWhere(ctx, t, data.PendingBatchTable, t.Schema.Columns(data.PendingBatchTable), "batch_id = ? AND status IS NOT 'stale'", id)
	for _, r := range rows {
		out = append(out, updateOf(t, data.PendingBatchTable, r, data.Row{"status": lcm.BatchStale, "failure_summary": reason, updatedAtColumn: data.FormatTime(t.Now)}))
	}
	if err != nil || len(rows) == 0 || !t.Schema.Has(data.PendingNodeTable, "node_id", "batch_id", "status") {
		return out, err
	}
	stale := data.Row{"status": lcm.NodeStale, "lease_owner": nil, "lease_expires_at": nil, updatedAtColumn: data.FormatTime(t.Now)}
	columns := append(stale.Columns(), "node_id", "batch_id") // Not the text, which stays.
	nodes, err := rowsWhere(ctx, t, data.PendingNodeTable, columns, "batch_id = ? AND node_id IS NOT NULL AND ("+openNode+" OR status = 'promoted')", id)
	for _, r := range nodes {
		out = append(out, updateOf(t, data.PendingNodeTable, r, stale))
	}
	return out, err
}

// deletedBatch returns the changes that delete a batch with its nodes and links, the batch
// last.
func deletedBatch(ctx context.Context, t *tx, id any) (out []Change, err error) {
	const ofNodes = "node_id IN (SELECT node_id FROM " + data.PendingNodeTable + " WHERE batch_id = ?)"
	for _, from := range []struct{ table, key, where string }{
		{data.PendingNodeChildTable, "node_id", ofNodes}, {data.PendingNodeMessageTable, "node_id", ofNodes}, {data.PendingNodeTable, "batch_id", "batch_id = ?"}, {data.PendingBatchTable, "batch_id", "batch_id = ?"},
	} {
		if !t.Schema.Has(from.table, from.key) || from.where == ofNodes && !t.Schema.Has(data.PendingNodeTable, "node_id", "batch_id") {
			continue
		}
		rows, err := rowsWhere(ctx, t, from.table, t.Schema.Columns(from.table), from.where, id)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out = append(out, Change{Table: from.table, Key: pendingKey(t, from.table), Before: r})
		}
	}
	return out, nil
}

// deletedNode returns the changes that delete a node with the links from it and to it, the node
// last.
func deletedNode(ctx context.Context, t *tx, id any) (out []Change, err error) {
	for _, from := range []struct{ table, column string }{
		{data.PendingNodeChildTable, "node_id"}, {data.PendingNodeChildTable, "child_node_id"}, {data.PendingNodeMessageTable, "node_id"}, {data.PendingNodeTable, "node_id"},
	} {
		if !t.Schema.Has(from.table, "node_id", from.column) {
			continue
		}
		rows, err := rowsWhere(ctx, t, from.table, t.Schema.Columns(from.table), from.column+" = ?", id)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out = append(out, Change{Table: from.table, Key: pendingKey(t, from.table), Before: r})
		}
	}
	return out, nil
}

// rowsWhere reads rows of a table of pending batches by their keys, as far as it has the columns.
func rowsWhere(ctx context.Context, t *tx, table string, columns []string, where string, args ...any) (out []data.Row, err error) {
	var there []string
	for _, column := range columns {
		if t.Schema.Has(table, column) {
			there = append(there, column)
		}
	}
	order := slices.DeleteFunc(slices.Clone(pendingKey(t, table)), func(c string) bool { return !t.Schema.Has(table, c) })
	query := "SELECT " + data.QuoteAll(there) + " FROM " + data.QuoteName(table) + " WHERE " + where
	if len(order) > 0 {
		query += " ORDER BY " + data.QuoteAll(order)
	}
	err = data.EachRow(ctx, t, query, args, func(scan data.RowScanner) error {
		r, err := data.ScanRow(scan, there)
		out = append(out, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", table, err)
	}
	return out, nil
}

// updateOf returns the change of columns of a row, as far as the row has them.
func updateOf(t *tx, table string, r, columns data.Row) Change {
	after := r.Pick(r.Columns())
	for column, v := range columns {
		if _, known := r[column]; known {
			after[column] = v
		}
	}
	return Change{Table: table, Key: pendingKey(t, table), Before: r, After: after}
}

// pendingKey returns the columns that name a row of a pending table, also where the file
// declares no key.
func pendingKey(t *tx, table string) []string {
	switch key := t.Schema.Key(table); {
	case len(key) > 0:
		return key
	case table == data.PendingBatchTable:
		return []string{"batch_id"}
	case table == data.PendingNodeMessageTable:
		return []string{"node_id", "message_id"}
	case table == data.PendingNodeChildTable:
		return []string{"node_id", "ordinal"}
	}
	return []string{"node_id"}
}

// splitPending returns the changes of the pending tables and all others.
func splitPending(cs []Change) (pending, others []Change) {
	for _, c := range cs {
		if data.IsPendingTable(c.Table) {
			pending = append(pending, c)
		} else {
			others = append(others, c)
		}
	}
	return pending, others
}

// MakesStale reports whether a change makes a pending batch or node stale. Undo doesn't revert
// it.
func (c Change) MakesStale() bool {
	return (c.Table == data.PendingBatchTable || c.Table == data.PendingNodeTable) && c.Before != nil && c.After != nil && data.CellText(c.After["status"]) == lcm.BatchStale
}

// OnlyStaleError says that a record has nothing that undo could revert: it only made pending
// batches stale, and these stay stale.
type OnlyStaleError struct {
	Record  int64
	Batches int
}

func (e *OnlyStaleError) Error() string {
	batches, them := "a pending batch", "it"
	if e.Batches != 1 {
		batches, them = fmt.Sprintf("%d pending batches", e.Batches), "them"
	}
	return fmt.Sprintf("record %d only made %s stale, which undo can't revert: a host that is about to publish must not find %s active again", e.Record, batches, them)
}

// Unwrap returns ErrNoRecord: there is nothing to undo.
func (e *OnlyStaleError) Unwrap() error { return ErrNoRecord }

// ScreenHint says what happens instead.
func (e *OnlyStaleError) ScreenHint() string {
	return "the host plans the background compaction again by itself"
}

// Hint says what happens instead, and how to undo an earlier change.
func (e *OnlyStaleError) Hint() string {
	return e.ScreenHint() + "; lcm-tui undo ID undoes an earlier change"
}

// CheckUndo fails where a record, of which these are the changes, has nothing to undo: with
// ErrUndone, for replaced secrets, or with an OnlyStaleError if all that they do is to make pending batches stale.
// The time of a conversation's last change doesn't count.
func (r Record) CheckUndo(cs []Change) error {
	if r.RestoredOver != "" {
		return restoredOverError(r)
	}
	if r.Undone() {
		return fmt.Errorf("record %d: %w", r.ID, ErrUndone)
	}
	if r.Op == OpSecrets {
		return &hint.Error{
			Text:     fmt.Sprintf("record %d can't be undone: it replaced secrets, and keeps no copy of them", r.ID),
			Next:     "older records can still be undone: lcm-tui undo ID; they bring back the placeholders, not the secrets",
			OnScreen: "older records can still be undone; they bring back the placeholders, not the secrets",
		}
	}
	e := &OnlyStaleError{Record: r.ID}
	for _, c := range cs {
		switch {
		case c.MakesStale() && c.Table == data.PendingBatchTable:
			e.Batches++
		case !c.MakesStale() && !c.onlyDates():
			return nil
		}
	}
	if e.Batches == 0 {
		return nil
	}
	return e
}

// onlyDates reports whether a change only sets updated_at of a conversation.
func (c Change) onlyDates() bool {
	if c.Table != "conversations" || c.Before == nil || c.After == nil {
		return false
	}
	return without(c.Before, updatedAtColumn).Equal(without(c.After, updatedAtColumn))
}

// notePending adds to a record how many pending batches a transaction made stale and deleted.
func notePending(ctx context.Context, t *tx, record int64, n pendingCount) error {
	if n == (pendingCount{}) {
		return nil
	}
	_, err := t.ExecContext(ctx, `UPDATE lcm_tui_undo SET detail = json_set(CASE WHEN json_valid(detail) THEN detail ELSE '{}' END,
		'$.stale_batches', coalesce(json_extract(detail, '$.stale_batches'), 0) + ?, '$.deleted_batches', coalesce(json_extract(detail, '$.deleted_batches'), 0) + ?)
		WHERE id = ?`, n.stale, n.deleted, record)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}
