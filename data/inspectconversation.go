package data

import "context"

// RawConversation is a row of conversations as it stands.
type RawConversation struct {
	ID         int64
	Session    string
	Title      Stored
	Key        Stored // From 0.4.0.
	Active     Number // From 0.6.0; 1 before.
	ArchivedAt Stored // From 0.6.0.
	Cause      string // From 0.14.0.
	CreatedAt  Time
}

// RawConversations are all conversations in the order of their ids.
func (db *DB) RawConversations(ctx context.Context) ([]RawConversation, error) {
	s := db.schema
	if !s.ours("conversations") {
		return nil, nil
	}
	query := "SELECT c.conversation_id, " + s.stored("conversations", "c", "session_id title session_key") + ", " +
		s.expr("conversations", "c", "active", "1") + ", " + s.stored("conversations", "c", "archived_at archive_cause created_at") +
		" FROM conversations c ORDER BY 1"
	return collect(ctx, db, "read conversations", query, nil, func(scan RowScanner, c *RawConversation) error {
		return scan((*integer)(&c.ID), (*text)(&c.Session), &c.Title, &c.Key, &c.Active, &c.ArchivedAt, (*word)(&c.Cause), &c.CreatedAt)
	})
}

// HasMessages reports whether a conversation has messages.
func (db *DB) HasMessages(ctx context.Context, conv int64) (bool, error) {
	if !db.schema.ours("messages") {
		return false, nil
	}
	var n integer
	return db.one(ctx, "read messages", "SELECT 1 FROM messages WHERE conversation_id = ? LIMIT 1", []any{conv}, &n)
}
