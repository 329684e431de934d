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

// gaveUp is what a batch says that this program made stale.
const gaveUp = "the context was changed by lcm-tui"

// activeBatch is the condition of a batch that a host may still publish.
const activeBatch = "status IN ('planning', 'ready', 'publishing')"

// sources are the columns of which a host takes the fingerprint of what it prepares.
var sources = map[string][]string{
	"messages":  {"message_id", "conversation_id", "seq", "role", "token_count", "created_at", "content"},
	"summaries": {"summary_id", "conversation_id", "depth", "token_count", "created_at", "content"},
}

// abandonPending does for what a host prepares from rows that change what the host does
// itself when it gives up: without it the host publishes by ordinals that mean other rows
// now, between its check and its transaction. It returns how many batches it gave up.
// No record has it, since undo must not bring such a batch back either.
func (t *tx) abandonPending(ctx context.Context, cs []Change) (n int64, err error) {
	if !t.schema.Has(pendingBatches, "conversation_id", "status") || !t.schema.Has(pendingNodes, "batch_id", "status") {
		return 0, nil
	}
	convs := map[int64]bool{}
	for _, c := range cs {
		if c.Table == "context_items" {
			convs[asInteger(c.row()["conversation_id"])] = true
		}
	}
	for conv := range convs {
		given, err := t.abandon(ctx, "conversation_id = ?", conv)
		if err != nil {
			return n, err
		}
		n += given
	}
	for _, c := range cs {
		if sources[c.Table] == nil || c.Before == nil {
			continue
		}
		given, err := t.abandonSource(ctx, c, convs)
		if err != nil {
			return n, fmt.Errorf("give up pending summaries of %s: %w", c.Label(), err)
		}
		n += given
	}
	return n, t.dropPending(ctx, cs)
}

// abandonSource gives up the batches that a changed message or summary is a source of.
func (t *tx) abandonSource(ctx context.Context, c Change, done map[int64]bool) (int64, error) {
	differs := func(column string) bool {
		was, known := c.Before[column]
		return known && !sameValue(was, c.After[column])
	}
	if c.After != nil && !slices.ContainsFunc(sources[c.Table], differs) {
		return 0, nil
	}
	links, column, key := pendingMessages, "message_id", "message_id"
	if c.Table == "summaries" {
		links, column, key = pendingChildren, "child_summary_id", "summary_id"
	}
	if conv, known := c.Before["conversation_id"]; known && done[asInteger(conv)] || !t.schema.Has(links, "node_id", column) {
		return 0, nil
	}
	const named = `batch_id IN (SELECT n.batch_id FROM pending_summary_nodes n JOIN %s l ON l.node_id = n.node_id WHERE l.%s = ?1)`
	const within = `EXISTS (SELECT 1 FROM context_items ci WHERE ci.%s = ?1 AND ci.conversation_id = pending_compaction_batches.conversation_id
		AND ci.ordinal BETWEEN compactable_start_ordinal AND compactable_end_ordinal)`
	where := "(" + fmt.Sprintf(named, links, column)
	if t.schema.Has(pendingBatches, "compactable_start_ordinal", "compactable_end_ordinal") {
		where += " OR " + fmt.Sprintf(within, key)
	}
	return t.abandon(ctx, where+")", c.Before[key])
}

// abandon makes the active batches of a condition stale, with their unfinished nodes.
func (t *tx) abandon(ctx context.Context, where string, arg any) (int64, error) {
	at := "strftime('%Y-%m-%d %H:%M:%S', '" + Stamped(t.now) + "')"
	set := t.assign(pendingNodes, map[string]string{"status": "'stale'", "lease_owner": "NULL", "lease_expires_at": "NULL", "updated_at": at})
	nodes := "UPDATE " + pendingNodes + " SET " + set + " WHERE status IN ('planned', 'running', 'ready', 'failed') AND batch_id IN (SELECT batch_id FROM " +
		pendingBatches + " WHERE " + activeBatch + " AND " + where + ")"
	if _, err := t.exec(ctx, nodes, arg); err != nil {
		return 0, err
	}
	set = t.assign(pendingBatches, map[string]string{"status": "'stale'", "failure_summary": "'" + gaveUp + "'", "updated_at": at})
	r, err := t.exec(ctx, "UPDATE "+pendingBatches+" SET "+set+" WHERE "+activeBatch+" AND "+where, arg)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// assign are assignments to those columns that the table has.
func (t *tx) assign(table string, values map[string]string) string {
	var out []string
	for _, column := range slices.Sorted(maps.Keys(values)) {
		if t.schema.Has(table, column) {
			out = append(out, quote(column)+" = "+values[column])
		}
	}
	return strings.Join(out, ", ")
}

// dropPending deletes the batches, finished ones too, that name a message or summary
// which is to be deleted: the schema wouldn't let it go. With a conversation go all that
// it prepared.
func (t *tx) dropPending(ctx context.Context, cs []Change) error {
	const named = "DELETE FROM " + pendingBatches + " WHERE batch_id IN (SELECT n.batch_id FROM " + pendingNodes + " n JOIN %s l ON l.node_id = n.node_id WHERE l.%s = ?)"
	for _, c := range cs {
		if c.After != nil || c.Before == nil {
			continue
		}
		var steps []string
		var key any
		switch c.Table {
		case "messages":
			key = c.Before["message_id"]
			if t.schema.Has(pendingMessages, "node_id", "message_id") {
				steps = append(steps, fmt.Sprintf(named, pendingMessages, "message_id"))
			}
		case "summaries":
			key = c.Before["summary_id"]
			if t.schema.Has(pendingChildren, "node_id", "child_summary_id") {
				steps = append(steps, fmt.Sprintf(named, pendingChildren, "child_summary_id"))
			}
			if t.schema.Has(pendingNodes, "canonical_summary_id") {
				steps = append(steps, "UPDATE "+pendingNodes+" SET canonical_summary_id = NULL WHERE canonical_summary_id = ?")
			}
		case "conversations":
			key = c.Before["conversation_id"]
			steps = append(steps, "DELETE FROM "+pendingBatches+" WHERE conversation_id = ?")
		}
		for _, s := range steps {
			if _, err := t.exec(ctx, s, key); err != nil {
				return fmt.Errorf("delete pending summaries of %s: %w", c.Label(), err)
			}
		}
	}
	return nil
}
