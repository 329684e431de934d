package columntexts

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
)

// A host of 1.0 checks what it prepared before the transaction that publishes it, and doesn't look again
// there. So a batch is given up in the same transaction as the texts that it is made of, as the
// host itself does.

const (
	// ofContext are the active batches in whose range of the context a row stands. A range that can't be
	// read is the whole context.
	ofContext = "SELECT b.batch_id FROM " + data.PendingBatchTable + " b JOIN context_items c ON c.conversation_id = b.conversation_id WHERE b." + lcm.ActiveBatch + " AND "
	inRange   = `(typeof(b.compactable_start_ordinal) <> 'integer' OR typeof(b.compactable_end_ordinal) <> 'integer'
		OR c.ordinal BETWEEN b.compactable_start_ordinal AND b.compactable_end_ordinal) AND `
	// ofNodes are the active batches with a node that a condition holds for.
	ofNodes = "SELECT b.batch_id FROM " + data.PendingBatchTable + " b JOIN " + data.PendingNodeTable + " n ON n.batch_id = b.batch_id WHERE b." + lcm.ActiveBatch + " AND "
)

// preparedFrom returns the query for the active batches that are prepared from a row of a table, of which the columns
// change; empty where there are none.
func preparedFrom(s *data.Schema, t *Table, columns []string) string {
	if !s.Has(data.PendingBatchTable, "batch_id", "conversation_id", "status", "failure_summary", "updated_at") {
		return ""
	}
	within := ofContext
	if s.Has(data.PendingBatchTable, "compactable_start_ordinal", "compactable_end_ordinal") {
		within += inRange
	}
	row := func(column string) string {
		return "(SELECT " + column + " FROM " + quote(t.Name) + " WHERE " + t.where() + ")"
	}
	links := func(table, column, id string) string {
		if !s.Has(table, "node_id", column) || !s.Has(data.PendingNodeTable, "node_id", "batch_id") {
			return ""
		}
		return " UNION " + ofNodes + "n.node_id IN (SELECT l.node_id FROM " + table + " l WHERE l." + column + " = " + row(id) + ")"
	}
	switch {
	case t.Name == "messages" || t.Name == "message_parts": // A part is the source where there is no text beside it.
		return within + "c.message_id = " + row("message_id") + links(data.PendingNodeMessageTable, "message_id", "message_id")
	case t.Name == "summaries":
		return within + "c.summary_id = " + row("summary_id") + links(data.PendingNodeChildTable, "child_summary_id", "summary_id")
	case t.Name == data.PendingNodeTable && slices.Contains(columns, "content") && t.Has("batch_id"):
		return "SELECT b.batch_id FROM " + data.PendingBatchTable + " b WHERE b." + lcm.ActiveBatch + " AND b.batch_id = " + row("batch_id")
	}
	return ""
}

// giveUp makes the batches stale that a host prepares from a row whose texts changed, with their open nodes. A node
// that a model is asked for loses its lease, so that the host drops the result.
func (r *Replacement) giveUp(ctx context.Context, turn *change.Turn, t *Table, key []any, columns []string) error {
	query := preparedFrom(turn.Schema(), t, columns)
	if query == "" {
		return nil
	}
	var args []any
	for range countMarks(query) / max(1, len(key)) {
		args = append(args, key...)
	}
	var batches []string
	err := turn.EachRow(ctx, query, args, func(scan data.RowScanner) error {
		var id data.Text
		err := scan(&id)
		batches = append(batches, string(id))
		return err
	})
	if err != nil {
		return err
	}
	return turn.GiveUpBatches(ctx, r.Reason, batches)
}

// countMarks counts the arguments of a query.
func countMarks(query string) (n int) {
	for _, c := range query {
		if c == '?' {
			n++
		}
	}
	return n
}

// releaseEntry takes the entry of the transcript from a message whose text is another one there, with what a host noted
// about it: it would do the same at its next start.
func (r *Replacement) releaseEntry(ctx context.Context, turn *change.Turn, t *Table, key []any, m Message) error {
	s := turn.Schema()
	const entry = "transcript_entry_id"
	if r.Release == nil || !s.Has("messages", entry) || !r.Release(m) {
		return nil
	}
	if _, err := turn.Exec(ctx, "UPDATE messages SET "+entry+" = NULL WHERE "+t.where(), key...); err != nil {
		return err
	}
	if !s.Has(data.AnchorTrustTable, "message_id") {
		return nil
	}
	_, err := turn.Exec(ctx, "DELETE FROM "+data.AnchorTrustTable+" WHERE message_id = (SELECT message_id FROM messages WHERE "+t.where()+")", key...)
	return err
}
