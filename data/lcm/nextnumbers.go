package lcm

import (
	"context"
	"strings"

	"lcm-tui/data"
)

// NextNumbers are where rows would be appended.
type NextNumbers struct {
	Seq          int64 // The next seq, from 1.
	Ordinal      int64 // The next place in the context, from 0.
	Message      int64 // The next message_id of the file.
	Conversation int64 // The next conversation_id of the file.
}

// ReadNextNumbers finds the ends of a conversation, or of the file alone for one that isn't
// there. Ids of rows that are gone aren't given again.
func ReadNextNumbers(ctx context.Context, db data.Querier, conv int64) (e NextNumbers, err error) {
	query := `SELECT
		(SELECT max(coalesce(max(seq), 0), 0) + 1 FROM messages WHERE conversation_id = ?1),
		(SELECT coalesce(max(ordinal), -1) + 1 FROM context_items WHERE conversation_id = ?1),
		` + NextMessage + `,
		1 + max(coalesce((SELECT max(conversation_id) FROM conversations), 0), coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'conversations'), 0))`
	_, err = data.One(ctx, db, "read ends", Counting(db.Schema(), query), []any{conv}, (*data.Integer)(&e.Seq), (*data.Integer)(&e.Ordinal),
		(*data.Integer)(&e.Message), (*data.Integer)(&e.Conversation))
	return e, err
}

// NextMessage is the number of the next message.
const NextMessage = `1 + max(coalesce((SELECT max(message_id) FROM messages), 0), coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'messages'), 0))`

// Counting returns a query of SQLite's own counters, for a file that may have none: somebody
// else made its tables.
func Counting(s *data.Schema, query string) string {
	if s.Has("sqlite_sequence") {
		return query
	}
	return strings.ReplaceAll(query, "FROM sqlite_sequence", "FROM (SELECT NULL name, NULL seq)")
}

// CountMessagesAndItems returns how many messages a conversation has, and how many items its context.
func CountMessagesAndItems(ctx context.Context, db data.Querier, conv int64) (messages, items int64, err error) {
	const query = `SELECT (SELECT count(*) FROM messages WHERE conversation_id = ?1), (SELECT count(*) FROM context_items WHERE conversation_id = ?1)`
	_, err = data.One(ctx, db, "count", query, []any{conv}, (*data.Integer)(&messages), (*data.Integer)(&items))
	return messages, items, err
}
