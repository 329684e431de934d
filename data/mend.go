package data

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Previews are messages with the start of their texts, in the order of ids. One that
// doesn't exist is left out.
func (db *DB) Previews(ctx context.Context, ids []int64) ([]Message, error) {
	at := map[int64]Message{}
	for chunk := range slices.Chunk(ids, maxArgs) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		ms, err := db.messages(ctx, rowQuery{where: "message_id IN (" + marks(len(args)) + ")", args: args}, previewBytes)
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			at[m.ID] = m
		}
	}
	out := make([]Message, 0, len(at))
	for _, id := range ids {
		if m, ok := at[id]; ok {
			out = append(out, m)
		}
	}
	return out, nil
}

// IndexRows are the rows that a search table has for these messages or summaries,
// with their rowids.
func (db *DB) IndexRows(ctx context.Context, table string, ids []any) (out []Row, err error) {
	if !slices.Contains(db.schema.FTS, table) {
		return nil, nil
	}
	columns, by := searchColumns(table)
	for chunk := range slices.Chunk(ids, maxArgs) {
		query := "SELECT " + strings.Join(columns, ", ") + " FROM " + table + " WHERE " + by + " IN (" + marks(len(chunk)) + ") ORDER BY rowid"
		rows, err := db.rows(ctx, "read "+table, query, chunk, columns)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// DanglingRows are the rows of a table, whole, that name a row of another which doesn't
// exist.
func (db *DB) DanglingRows(ctx context.Context, table, column, other, key string) ([]Row, error) {
	if !db.schema.Has(table, column) || !db.schema.Has(other, key) {
		return nil, nil
	}
	columns := db.schema.Columns(table)
	query := "SELECT " + quoteAll(columns) + " FROM " + QuoteName(table) + " t WHERE t." + QuoteName(column) + " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM " +
		QuoteName(other) + " o WHERE o." + QuoteName(key) + " = t." + QuoteName(column) + ")"
	return db.rows(ctx, "read "+table, query, nil, columns)
}

// MaxValue is the highest value of a whole-number column, or 0.
func (db *DB) MaxValue(ctx context.Context, table, column string) (n int64, err error) {
	if !db.schema.Has(table, column) {
		return 0, nil
	}
	_, err = db.one(ctx, "read "+table, "SELECT coalesce(max("+QuoteName(column)+"), 0) FROM "+QuoteName(table), nil, (*integer)(&n))
	return n, err
}

// RawMessage is a message as it is stored, with its parts and its text, or a NotFoundError.
func (db *DB) RawMessage(ctx context.Context, id int64) (*RawMessage, error) {
	s := db.schema
	m := &RawMessage{ID: id}
	query := "SELECT " + s.exprs("messages", "m", "content", "openclaw_sender_metadata", "large_content") + " FROM messages m WHERE m.message_id = ?"
	ok, err := db.one(ctx, "read messages", query, []any{id}, &m.Content, &m.Sender, &m.LargeContent)
	if err != nil || !ok {
		return nil, errors.Join(err, db.notFound("message", id))
	}
	if !s.Has("message_parts") {
		return m, nil
	}
	query = "SELECT " + s.exprs("message_parts", "p", "part_id", "part_type", "ordinal", "text_content", "tool_call_id", "tool_name",
		"tool_input", "tool_output", "metadata") + " FROM message_parts p WHERE p.message_id = ? ORDER BY p.ordinal"
	m.Parts, err = collect(ctx, db, "read message parts", query, []any{id}, func(scan RowScanner, b *RawPart) error {
		return scan((*text)(&b.ID), (*word)(&b.Type), (*integer)(&b.Ordinal), &b.Text, &b.ToolCallID, &b.ToolName, &b.ToolInput,
			&b.ToolOutput, &b.Metadata)
	})
	return m, err
}

// InConversation is the item as a place of another conversation's context.
func (c ContextItem) InConversation(conv int64) ContextItem {
	c.stored = c.stored && c.Conversation == conv
	c.Conversation, c.cells = conv, slices.Clone(c.cells)
	c.cells[slices.Index(c.columns, "conversation_id")] = conv
	return c
}
