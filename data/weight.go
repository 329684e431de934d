package data

import "context"

// UncountedMessages are the messages of a conversation's context that a host counts otherwise
// than by their stored tokens alone: with the id, the sender and, only where no tokens are
// stored, the text.
func (db *DB) UncountedMessages(ctx context.Context, conv int64) ([]Message, error) {
	s := db.schema
	if !s.Has("context_items") || !s.Has("messages", "token_count", "content") {
		return nil, nil
	}
	const unstored = "CAST(coalesce(m.token_count, 0) AS INTEGER) <= 0"
	sender := "CASE WHEN m.role = 'user' THEN " + s.expr("messages", "m", "openclaw_sender_metadata", "NULL") + " END"
	query := "SELECT m.message_id, CASE WHEN " + unstored + " THEN m.content END, " + sender +
		` FROM context_items ci CROSS JOIN messages m ON m.message_id = ci.message_id
		WHERE ci.conversation_id = ? AND (` + unstored + " OR " + sender + " IS NOT NULL)"
	return collect(ctx, db, "read context", query, []any{conv}, func(scan RowScanner, m *Message) error {
		return scan((*integer)(&m.ID), (*text)(&m.Content), (*text)(&m.Sender))
	})
}
