package lcm

import (
	"context"

	"lcm-tui/data"
)

// RawContextItem is a place of a context with whom the row it names belongs to.
type RawContextItem struct {
	Ordinal int64
	Type    string
	Message int64
	Summary string
	Owner   int64 // The conversation of the row named; 0 where there is none.
	Missing bool  // The row named doesn't exist.
	Seq     int64 // Of the message.
	Tokens  int64 // Of the message or summary.
}

// RawContext returns a conversation's context in order.
func RawContext(ctx context.Context, db data.Querier, conv int64) ([]RawContextItem, error) {
	s := db.Schema()
	if !s.HasCore("context_items") {
		return nil, nil
	}
	message, summary, from := "NULL, NULL, NULL, NULL", "NULL, NULL, NULL", " FROM context_items ci"
	if s.HasCore("messages") {
		message = "m.message_id, m.conversation_id, m.seq, m.token_count"
		from += " LEFT JOIN messages m ON m.message_id = ci.message_id"
	}
	if s.HasCore("summaries") {
		summary = "s.summary_id, s.conversation_id, s.token_count"
		from += " LEFT JOIN summaries s ON s.summary_id = ci.summary_id"
	}
	query := "SELECT ci.ordinal, ci.item_type, ci.message_id, ci.summary_id, " + message + ", " + summary + from +
		" WHERE ci.conversation_id = ? ORDER BY ci.ordinal"
	return data.Collect(ctx, db, "read context", query, []any{conv}, func(scan data.RowScanner, i *RawContextItem) error {
		var message, summary data.Stored
		var messageOwner, summaryOwner, messageTokens, summaryTokens data.Integer
		err := scan((*data.Integer)(&i.Ordinal), (*data.Word)(&i.Type), (*data.Integer)(&i.Message), (*data.Text)(&i.Summary),
			&message, &messageOwner, (*data.Integer)(&i.Seq), &messageTokens, &summary, &summaryOwner, &summaryTokens)
		i.Owner, i.Missing, i.Tokens = int64(messageOwner), message.Null, int64(messageTokens)
		if i.Summary != "" {
			i.Owner, i.Missing, i.Tokens = int64(summaryOwner), summary.Null, int64(summaryTokens)
		}
		return err
	})
}
