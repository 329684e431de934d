package data

import (
	"context"
	"strings"
)

// NextNumbers are where rows would be appended.
type NextNumbers struct {
	Seq          int64 // The next seq, from 1.
	Ordinal      int64 // The next place in the context, from 0.
	Message      int64 // The next message_id of the file.
	Conversation int64 // The next conversation_id of the file.
}

// NextNumbers finds the ends of a conversation, or of the file alone for one that isn't
// there. Ids of rows that are gone aren't given again.
func (db *DB) NextNumbers(ctx context.Context, conv int64) (e NextNumbers, err error) {
	query := `SELECT
		(SELECT max(coalesce(max(seq), 0), 0) + 1 FROM messages WHERE conversation_id = ?1),
		(SELECT coalesce(max(ordinal), -1) + 1 FROM context_items WHERE conversation_id = ?1),
		` + nextMessage + `,
		1 + max((SELECT coalesce(max(conversation_id), 0) FROM conversations), (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'conversations'))`
	_, err = One(ctx, db, "read ends", db.Schema().counting(query), []any{conv}, (*Integer)(&e.Seq), (*Integer)(&e.Ordinal),
		(*Integer)(&e.Message), (*Integer)(&e.Conversation))
	return e, err
}

// nextMessage is the number of the next message.
const nextMessage = `1 + max((SELECT coalesce(max(message_id), 0) FROM messages), (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'messages'))`

// counting is a query of SQLite's own counters, for a file that may have none: somebody
// else made its tables.
func (s *Schema) counting(query string) string {
	if s.Has("sqlite_sequence") {
		return query
	}
	return strings.ReplaceAll(query, "FROM sqlite_sequence", "FROM (SELECT NULL name, NULL seq)")
}

// CountMessagesAndItems are how many messages a conversation has, and how many items its context.
func (db *DB) CountMessagesAndItems(ctx context.Context, conv int64) (messages, items int64, err error) {
	const query = `SELECT (SELECT count(*) FROM messages WHERE conversation_id = ?1), (SELECT count(*) FROM context_items WHERE conversation_id = ?1)`
	_, err = One(ctx, db, "count", query, []any{conv}, (*Integer)(&messages), (*Integer)(&items))
	return messages, items, err
}
