package data

import "context"

// Weighed is a message of a context that a host counts otherwise than by its
// stored tokens alone.
type Weighed struct {
	Message int64
	// Content is the whole text where no tokens are stored, else empty.
	Content string
	// Sender is what the host noted about who wrote a user's message, or empty. From
	// 0.15.2.
	Sender string
}

// Weighed are those messages of a conversation's context.
func (db *DB) Weighed(ctx context.Context, conv int64) ([]Weighed, error) {
	s := db.schema
	if !s.Has("context_items") || !s.Has("messages", "token_count", "content") {
		return nil, nil
	}
	const unstored = "CAST(coalesce(m.token_count, 0) AS INTEGER) <= 0"
	sender := "CASE WHEN m.role = 'user' THEN " + s.expr("messages", "m", "openclaw_sender_metadata", "NULL") + " END"
	query := "SELECT m.message_id, CASE WHEN " + unstored + " THEN m.content END, " + sender +
		` FROM context_items ci CROSS JOIN messages m ON m.message_id = ci.message_id
		WHERE ci.conversation_id = ? AND (` + unstored + " OR " + sender + " IS NOT NULL)"
	return collect(ctx, db, "read context", query, []any{conv}, func(scan RowScanner, w *Weighed) error {
		return scan((*integer)(&w.Message), (*text)(&w.Content), (*text)(&w.Sender))
	})
}
