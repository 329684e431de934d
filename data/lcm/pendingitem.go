package lcm

import (
	"context"
	"strings"

	"lcm-tui/data"
)

// PendingItem is a place of a context of which a host prepares summaries, with what the host
// takes fingerprints of.
type PendingItem struct {
	Conversation int64
	Ordinal      int64
	Message      int64       // 0 where the place has a summary.
	Summary      string      // Empty where the place has a message.
	Missing      bool        // The row named doesn't exist.
	Role         string      // Of the message.
	Position     data.Number // The seq of the message, or the depth of the summary.
	Tokens       data.Number
	CreatedAt    data.Time
	Content      data.Stored // Only of places in the range of a batch.
}

// EachPendingItem calls fn with the places of the contexts in which selected batches are active,
// from the first place of a batch's range on, in no certain order. An item is good until fn
// returns.
func EachPendingItem(ctx context.Context, db data.Querier, of PendingSelection, fn func(*PendingItem) error) error {
	s := db.Schema()
	if !s.HasCore("context_items") || !s.Has(data.PendingBatchTable, "conversation_id", "status", "compactable_start_ordinal", "compactable_end_ordinal") {
		return nil
	}
	const inRange = "CASE WHEN ci.ordinal <= b.last THEN "
	exists, role, columns := "NULL", "NULL", []string{"NULL", "NULL", "NULL", "NULL"}
	of.OnlyActive = true
	where, args := of.condition(s)
	from := " FROM (SELECT b.conversation_id, min(b.compactable_start_ordinal) AS first, max(b.compactable_end_ordinal) AS last FROM " + data.PendingBatchTable +
		" b WHERE " + where + " GROUP BY 1) b CROSS JOIN context_items ci ON ci.conversation_id = b.conversation_id AND ci.ordinal >= b.first"
	if s.HasCore("messages") {
		exists, role, columns = "m.message_id", "m.role", []string{"m.seq", "m.token_count", "m.created_at", inRange + "m.content END"}
		from += " LEFT JOIN messages m ON m.message_id = ci.message_id"
	}
	if s.HasCore("summaries") {
		from += " LEFT JOIN summaries s ON s.summary_id = ci.summary_id"
		exists = "coalesce(s.summary_id, " + exists + ")"
		for i, of := range []string{s.Expr("summaries", "s", "depth", "0"), "s.token_count", "s.created_at", inRange + "s.content END"} {
			columns[i] = "CASE WHEN ci.summary_id IS NULL THEN " + columns[i] + " ELSE " + of + " END"
		}
	}
	query := "SELECT b.conversation_id, ci.ordinal, ci.message_id, ci.summary_id, " + exists + " IS NULL, " + role + ", " + strings.Join(columns, ", ") + from
	var i PendingItem
	return data.Each(ctx, db, "read context of pending batches", query, args, func(scan data.RowScanner) error {
		err := scan((*data.Integer)(&i.Conversation), (*data.Integer)(&i.Ordinal), (*data.Integer)(&i.Message), (*data.Text)(&i.Summary), &i.Missing, (*data.Word)(&i.Role),
			&i.Position, &i.Tokens, &i.CreatedAt, &i.Content)
		if err != nil {
			return err
		}
		return fn(&i)
	})
}
