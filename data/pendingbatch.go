package data

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The tables in which a host of the 1.0 generation prepares summaries in the background.
const (
	pendingBatches  = "pending_compaction_batches"
	pendingNodes    = "pending_summary_nodes"
	pendingMessages = "pending_summary_node_messages"
	pendingChildren = "pending_summary_node_children"
)

// abandonedReason is the failure that a batch names which this program made stale.
const abandonedReason = "the context was changed by lcm-tui"

// activeBatch is the condition of a batch that a host may still publish.
const activeBatch = "status IN ('planning', 'ready', 'publishing')"

// fingerprinted lists the columns from which a host computes the fingerprint of what it
// prepares.
var fingerprinted = map[string][]string{
	"messages":  {"message_id", "conversation_id", "seq", "role", "token_count", "created_at", "content"},
	"summaries": {"summary_id", "conversation_id", "depth", "token_count", "created_at", "content"},
}

// abandonPending marks as stale what a host prepares from rows that change, as the host does
// when it gives up. Otherwise the host would publish by ordinals that mean other rows now,
// because it checks before its transaction. It returns the number of batches. No record has
// this change, since undo must not bring such a batch back.
func (t *tx) abandonPending(ctx context.Context, cs []Change) (n int64, err error) {
	if !t.schema.Has(pendingBatches, "conversation_id", "status") || !t.schema.Has(pendingNodes, "batch_id", "status") {
		return 0, nil
	}
	batches, err := t.activeBatches(ctx)
	if err != nil {
		return 0, fmt.Errorf("read pending summaries: %w", err)
	}
	for _, b := range batches {
		if !slices.ContainsFunc(cs, b.isAffectedBy) {
			continue
		}
		if err := t.abandonBatch(ctx, b.id); err != nil {
			return n, fmt.Errorf("give up pending summaries: %w", err)
		}
		n++
	}
	return n, t.deletePendingBatches(ctx, cs)
}

// pendingBatch is what a host prepares and may still publish.
type pendingBatch struct {
	id           any
	conv         int64
	first, last  int64           // Its range of ordinals.
	contributing map[string]bool // The rows that it is made from, as refOf has them.
}

// isAffectedBy reports whether a change is about a row from which the batch is made.
func (b pendingBatch) isAffectedBy(c Change) bool {
	if c.Table == "context_items" {
		return asInteger(c.row()["conversation_id"]) == b.conv
	}
	if fingerprinted[c.Table] == nil || c.Before == nil || !b.contributing[refOf(c.Before)] {
		return false
	}
	differs := func(column string) bool {
		was, known := c.Before[column]
		return known && !sameValue(was, c.After[column])
	}
	return c.After == nil || slices.ContainsFunc(fingerprinted[c.Table], differs)
}

// activeBatches are those of the file, with what they are made from.
func (t *tx) activeBatches(ctx context.Context) (out []*pendingBatch, err error) {
	lo, hi := t.schema.expr(pendingBatches, "b", "compactable_start_ordinal", "0"), t.schema.expr(pendingBatches, "b", "compactable_end_ordinal", "-1")
	query := "SELECT b.batch_id, b.conversation_id, " + lo + ", " + hi + " FROM " + pendingBatches + " b WHERE b." + activeBatch
	err = each(ctx, t, query, nil, func(scan RowScanner) error {
		b := &pendingBatch{contributing: map[string]bool{}}
		err := scan(&b.id, (*integer)(&b.conv), (*integer)(&b.first), (*integer)(&b.last))
		out = append(out, b)
		return err
	})
	for _, b := range out {
		if err == nil {
			err = t.readContributing(ctx, b)
		}
	}
	return out, err
}

// readContributing reads the rows from which a batch is made.
func (t *tx) readContributing(ctx context.Context, b *pendingBatch) error {
	type from struct {
		query string
		args  []any
	}
	queries := []from{{
		"SELECT message_id, summary_id FROM context_items WHERE conversation_id = ? AND ordinal BETWEEN ? AND ?", []any{b.conv, b.first, b.last},
	}}
	const nodes = " l JOIN " + pendingNodes + " n ON n.node_id = l.node_id WHERE n.batch_id = ?"
	if t.schema.Has(pendingMessages, "node_id", "message_id") {
		queries = append(queries, from{"SELECT l.message_id, NULL FROM " + pendingMessages + nodes, []any{b.id}})
	}
	if t.schema.Has(pendingChildren, "node_id", "child_summary_id") {
		queries = append(queries, from{"SELECT NULL, l.child_summary_id FROM " + pendingChildren + nodes, []any{b.id}})
	}
	for _, q := range queries {
		err := each(ctx, t, q.query, q.args, func(scan RowScanner) error {
			var message, summary any
			err := scan(&message, &summary)
			b.contributing[refOf(Row{"message_id": message, "summary_id": summary})] = true
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// abandonBatch marks a batch and its unfinished nodes as stale.
func (t *tx) abandonBatch(ctx context.Context, batch any) error {
	at := "'" + FormatTime(t.now) + "'"
	set := t.assignments(pendingNodes, map[string]string{"status": "'stale'", "lease_owner": "NULL", "lease_expires_at": "NULL", "updated_at": at})
	nodes := "UPDATE " + pendingNodes + " SET " + set + " WHERE batch_id = ? AND status IN ('planned', 'running', 'ready', 'failed')"
	if _, err := t.exec(ctx, nodes, batch); err != nil {
		return err
	}
	set = t.assignments(pendingBatches, map[string]string{"status": "'stale'", "failure_summary": "'" + abandonedReason + "'", "updated_at": at})
	_, err := t.exec(ctx, "UPDATE "+pendingBatches+" SET "+set+" WHERE batch_id = ?", batch)
	return err
}

// assignments returns the assignments to those of the columns that the table has.
func (t *tx) assignments(table string, values map[string]string) string {
	var out []string
	for _, column := range slices.Sorted(maps.Keys(values)) {
		if t.schema.Has(table, column) {
			out = append(out, QuoteName(column)+" = "+values[column])
		}
	}
	return strings.Join(out, ", ")
}

// deletePendingBatches deletes the batches, also finished ones, that refer to a message or
// summary which is to be deleted: the schema wouldn't allow the deletion otherwise. With a
// conversation go all of its batches.
func (t *tx) deletePendingBatches(ctx context.Context, cs []Change) error {
	var some bool
	if err := t.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM "+pendingBatches+")").Scan(&some); err != nil || !some {
		return err
	}
	for _, c := range cs {
		if c.After != nil || c.Before == nil {
			continue
		}
		for _, s := range t.deletePendingSQL(c.Table) {
			if _, err := t.exec(ctx, s, c.Before[namedBy[c.Table]]); err != nil {
				return fmt.Errorf("delete pending summaries of %s: %w", c.Label(), err)
			}
		}
	}
	return nil
}

// deletePendingSQL returns the statements that have to run before a deletion from a table.
func (t *tx) deletePendingSQL(table string) (out []string) {
	const named = "DELETE FROM " + pendingBatches + " WHERE batch_id IN (SELECT n.batch_id FROM " + pendingNodes + " n JOIN %s l ON l.node_id = n.node_id WHERE l.%s = ?)"
	switch table {
	case "messages":
		if t.schema.Has(pendingMessages, "node_id", "message_id") {
			out = append(out, fmt.Sprintf(named, pendingMessages, "message_id"))
		}
	case "summaries":
		if t.schema.Has(pendingChildren, "node_id", "child_summary_id") {
			out = append(out, fmt.Sprintf(named, pendingChildren, "child_summary_id"))
		}
		if t.schema.Has(pendingNodes, "canonical_summary_id") {
			out = append(out, "UPDATE "+pendingNodes+" SET canonical_summary_id = NULL WHERE canonical_summary_id = ?")
		}
	case "conversations":
		out = append(out, "DELETE FROM "+pendingBatches+" WHERE conversation_id = ?")
	}
	return out
}
