package change

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// staleReason is the failure_summary of a batch that the writer makes stale because of other
// changes.
const staleReason = "the context was changed by lcm-tui"

// fingerprinted lists the columns from which a host computes the fingerprint of what it
// prepares.
var fingerprinted = map[string][]string{
	"messages":  {"message_id", "conversation_id", "seq", "role", "token_count", "created_at", "content"},
	"summaries": {"summary_id", "conversation_id", "depth", "token_count", "created_at", "content"},
}

// pendingCount is the number of pending batches that a write made stale, and of those that it
// deleted.
type pendingCount struct{ stale, deleted int64 }

// withPending adds to changes what they mean for the pending batches, in the same transaction:
//
//   - An active batch that was prepared from what changes becomes stale, as when its host gives
//     it up. The host checks before the transaction in which it publishes, and would publish by
//     ordinals that mean other rows by then.
//   - A batch, also a finished one, goes with a message or summary that one of its nodes names,
//     since the schema keeps these rows otherwise; with its conversation; and, while it is
//     active, when the conversation is archived, since no host ever looks at it again.
//   - A published node forgets the summary that is deleted.
//
// The count is of batches. Of the pending tables, a plan itself may only make batches stale,
// with or without some of their nodes, and delete them: see StaleBatches, DeleteNodes and
// DeleteBatches.
func withPending(ctx context.Context, t *tx, cs []Change) (out []Change, n pendingCount, err error) {
	if !t.Schema.Has(data.PendingBatchTable, "batch_id", "conversation_id") {
		return cs, n, nil
	}
	own, others := splitPending(cs)
	stale, reasons, err := plannedStale(own)
	if err != nil {
		return nil, n, err
	}
	deleted := &batchSet{}
	if err := addDeleted(ctx, t, deleted, stale, own, others); err != nil {
		return nil, n, fmt.Errorf("read pending batches: %w", err)
	}
	if err := addAffected(ctx, t, stale, others); err != nil {
		return nil, n, fmt.Errorf("read pending batches: %w", err)
	}
	var more []Change
	for _, id := range deleted.ids {
		rows, err := deletedBatch(ctx, t, id)
		if err != nil {
			return nil, n, err
		}
		if more = append(more, rows...); len(rows) > 0 {
			n.deleted++
		}
	}
	nodes, err := deletedNodes(ctx, t, own, deleted)
	if err != nil {
		return nil, n, err
	}
	rows, batches, err := staleRows(ctx, t, stale, reasons, deleted, nodes)
	if err != nil {
		return nil, n, err
	}
	n.stale = batches
	more = slices.Concat(more, nodes, rows)
	forgotten, err := forgottenSummaries(ctx, t, others, deleted)
	if more = append(more, forgotten...); err != nil || len(own)+len(more) == 0 {
		return cs, n, err
	}
	return slices.Concat(others, more), n, nil
}

// staleRows returns the changes that make batches and their nodes stale, except what is
// deleted, and the number of batches.
func staleRows(ctx context.Context, t *tx, stale *batchSet, reasons map[string]string, deleted *batchSet, nodes []Change) (out []Change, batches int64, err error) {
	for _, id := range stale.ids {
		if deleted.has(id) {
			continue
		}
		rows, err := staleBatch(ctx, t, id, cmp.Or(reasons[data.CellText(id)], staleReason))
		if err != nil {
			return nil, 0, err
		}
		rows = slices.DeleteFunc(rows, func(c Change) bool { return isDeletedNode(nodes, c) })
		if out = append(out, rows...); len(rows) > 0 {
			batches++
		}
	}
	return out, batches, nil
}

// isDeletedNode reports whether changes delete the node that another change is about.
func isDeletedNode(deleted []Change, c Change) bool {
	return c.Table == data.PendingNodeTable && slices.ContainsFunc(deleted, func(d Change) bool {
		return d.Table == data.PendingNodeTable && data.SameValue(d.Before["node_id"], c.Before["node_id"])
	})
}

// batchSet is a set of ids of batches, in the order in which they were added.
type batchSet struct {
	ids   []any
	known map[string]bool
}

func (s *batchSet) has(id any) bool { return s.known[data.CellText(id)] }

// add adds an id. Nothing can refer to a batch without one.
func (s *batchSet) add(id any) {
	if id == nil || s.has(id) {
		return
	}
	if s.known == nil {
		s.known = map[string]bool{}
	}
	s.ids, s.known[data.CellText(id)] = append(s.ids, id), true
}

// plannedStale returns the batches that a plan makes stale itself, and its reasons. It fails
// where the plan makes another change to a pending table.
func plannedStale(own []Change) (stale *batchSet, reasons map[string]string, err error) {
	stale, reasons = &batchSet{}, map[string]string{}
	for _, c := range own {
		switch {
		case c.After == nil:
		case c.MakesStale():
			id := c.Before["batch_id"]
			if stale.add(id); c.Table == data.PendingBatchTable {
				reasons[data.CellText(id)] = data.CellText(c.After["failure_summary"])
			}
		default:
			return nil, nil, &data.InvariantError{What: "a plan may only make pending batches stale or delete them, and it has another change of " + c.Label()}
		}
	}
	return stale, reasons, nil
}

// addAffected adds the active batches that a host prepared from rows that change.
func addAffected(ctx context.Context, t *tx, stale *batchSet, cs []Change) error {
	batches, err := activeBatches(ctx, t)
	for _, b := range batches {
		if slices.ContainsFunc(cs, b.isAffectedBy) {
			stale.add(b.id)
		}
	}
	return err
}

// preparedBatch is an active batch with what it is made from.
type preparedBatch struct {
	id           any
	conv         int64
	first, last  int64           // Its range of ordinals.
	end          int64           // The highest ordinal of its context.
	contributing map[string]bool // The rows that it is made from, as refOf has them.
}

// isAffectedBy reports whether a change is about the context of the batch, or about a row from
// which the batch is made. A new item behind the range and all others, as hosts append them, is
// no reason to give the batch up.
func (b preparedBatch) isAffectedBy(c Change) bool {
	if c.IsUnchanged() {
		return false
	}
	if c.Table == "context_items" {
		appended := c.Before == nil && ordinalOf(c.After) > max(b.last, b.end)
		return !appended && data.CellInteger(c.row()["conversation_id"]) == b.conv
	}
	if fingerprinted[c.Table] == nil || c.Before == nil || !b.contributing[refOf(c.Before)] {
		return false
	}
	differs := func(column string) bool {
		was, known := c.Before[column]
		return known && !data.SameValue(was, c.After[column])
	}
	return c.After == nil || slices.ContainsFunc(fingerprinted[c.Table], differs)
}

// activeBatches returns those of the file, with what they are made from. A range that can't be
// read is the whole context.
func activeBatches(ctx context.Context, t *tx) (out []*preparedBatch, err error) {
	if !t.Schema.Has(data.PendingBatchTable, "status") {
		return nil, nil
	}
	lo, hi := t.Schema.Expr(data.PendingBatchTable, "b", "compactable_start_ordinal", "NULL"), t.Schema.Expr(data.PendingBatchTable, "b", "compactable_end_ordinal", "NULL")
	const end = "(SELECT max(ordinal) FROM context_items ci WHERE ci.conversation_id = b.conversation_id)"
	query := "SELECT b.batch_id, b.conversation_id, " + lo + ", " + hi + ", " + end + " FROM " + data.PendingBatchTable + " b WHERE b." + lcm.ActiveBatch
	err = data.EachRow(ctx, t, query, nil, func(scan data.RowScanner) error {
		b := &preparedBatch{first: math.MinInt64, last: math.MaxInt64, contributing: map[string]bool{}}
		var first, last any
		err := scan(&b.id, (*data.Integer)(&b.conv), &first, &last, (*data.Integer)(&b.end))
		from, known := first.(int64)
		if to, ok := last.(int64); ok && known {
			b.first, b.last = from, to
		}
		out = append(out, b)
		return err
	})
	for _, b := range out {
		if err == nil {
			err = readContributing(ctx, t, b)
		}
	}
	return out, err
}

// readContributing reads the rows from which a batch is made.
func readContributing(ctx context.Context, t *tx, b *preparedBatch) error {
	type from struct {
		query string
		args  []any
	}
	queries := []from{{
		"SELECT message_id, summary_id FROM context_items WHERE conversation_id = ? AND ordinal BETWEEN ? AND ?", []any{b.conv, b.first, b.last},
	}}
	const nodes = " l JOIN " + data.PendingNodeTable + " n ON n.node_id = l.node_id WHERE n.batch_id = ?"
	if hasNodeLinks(t, data.PendingNodeMessageTable, "message_id") {
		queries = append(queries, from{"SELECT l.message_id, NULL FROM " + data.PendingNodeMessageTable + nodes, []any{b.id}})
	}
	if hasNodeLinks(t, data.PendingNodeChildTable, "child_summary_id") {
		queries = append(queries, from{"SELECT NULL, l.child_summary_id FROM " + data.PendingNodeChildTable + nodes, []any{b.id}})
	}
	for _, q := range queries {
		err := data.EachRow(ctx, t, q.query, q.args, func(scan data.RowScanner) error {
			var message, summary any
			err := scan(&message, &summary)
			b.contributing[refOf(data.Row{"message_id": message, "summary_id": summary})] = true
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// hasNodeLinks reports whether the file has the links from nodes to rows that a column of a
// table names, and the nodes.
func hasNodeLinks(t *tx, table, column string) bool {
	return t.Schema.Has(table, "node_id", column) && t.Schema.Has(data.PendingNodeTable, "node_id", "batch_id")
}

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
