package data

import "context"

// MessageMark is what can be told of a message without reading its text.
type MessageMark struct {
	ID   int64
	Seq  int64
	Role string
	At   Time
}

// MessageMarks are the marks of a conversation's messages by seq.
func (db *DB) MessageMarks(ctx context.Context, conv int64) ([]MessageMark, error) {
	s := db.schema
	if !s.Has("messages") {
		return nil, nil
	}
	query := "SELECT message_id, " + s.exprs("messages", "messages", "seq", "role", "created_at") +
		" FROM messages WHERE conversation_id = ? ORDER BY 2"
	return collect(ctx, db, "read messages", query, []any{conv}, func(scan scanner, m *MessageMark) error {
		return scan((*integer)(&m.ID), (*integer)(&m.Seq), (*word)(&m.Role), &m.At)
	})
}

// NextMessageID is the number that the file would give the next message. Numbers
// are never given twice, so those of messages that were deleted count too.
func (db *DB) NextMessageID(ctx context.Context) (int64, error) {
	var last, given integer
	if _, err := db.one(ctx, "read messages", "SELECT max(message_id) FROM messages", nil, &last); err != nil {
		return 0, err
	}
	counted := 0
	const table = "SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_sequence'"
	if _, err := db.one(ctx, "read messages", table, nil, &counted); err != nil {
		return 0, err
	}
	if counted > 0 {
		const query = "SELECT seq FROM sqlite_sequence WHERE name = 'messages'"
		if _, err := db.one(ctx, "read messages", query, nil, &given); err != nil {
			return 0, err
		}
	}
	return int64(max(last, given)) + 1, nil
}

// Taken are the values, other than NULL, that a column has in the rows of a
// conversation.
func (db *DB) Taken(ctx context.Context, table, column string, conv int64) (map[string]bool, error) {
	out := map[string]bool{}
	if !db.schema.Has(table, column, "conversation_id") {
		return out, nil
	}
	query := "SELECT " + quote(column) + " FROM " + quote(table) + " WHERE conversation_id = ? AND " + quote(column) + " IS NOT NULL"
	err := db.each(ctx, "read "+table, query, []any{conv}, func(scan scanner) error {
		var v text
		err := scan(&v)
		out[string(v)] = true
		return err
	})
	return out, err
}
