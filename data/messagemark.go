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
	return collect(ctx, db, "read messages", query, []any{conv}, func(scan RowScanner, m *MessageMark) error {
		return scan((*integer)(&m.ID), (*integer)(&m.Seq), (*word)(&m.Role), &m.At)
	})
}

// ColumnValues are the values, other than NULL, that a column has in the rows of a
// conversation.
func (db *DB) ColumnValues(ctx context.Context, table, column string, conv int64) (map[string]bool, error) {
	out := map[string]bool{}
	if !db.schema.Has(table, column, "conversation_id") {
		return out, nil
	}
	query := "SELECT " + QuoteName(column) + " FROM " + QuoteName(table) + " WHERE conversation_id = ? AND " + QuoteName(column) + " IS NOT NULL"
	err := db.each(ctx, "read "+table, query, []any{conv}, func(scan RowScanner) error {
		var v text
		err := scan(&v)
		out[string(v)] = true
		return err
	})
	return out, err
}
