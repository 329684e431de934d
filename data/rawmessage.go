package data

import (
	"context"
	"errors"
)

// RawMessage is a row of messages with its cells as they are stored, and what the search table
// has of it.
type RawMessage struct {
	ID           int64
	Seq          int64
	Role         string
	Content      Stored
	Tokens       Number
	CreatedAt    Time
	Hash         string    // identity_hash; from 0.9.0.
	LargeContent Stored    // From 0.10.0.
	Entry        string    // transcript_entry_id; from 0.13.0.
	EventKey     string    // stable_event_key; from 0.15.2.
	Sender       Stored    // JSON about who wrote it; from 0.15.2.
	Indexed      bool      // The search table has the message.
	IndexedText  Stored    // What the search table holds where that isn't the content, else NULL.
	Parts        []RawPart // In order; EachRawMessage leaves them out.
}

// EachRawMessage calls fn with every message of a conversation by seq, or for 0
// with every message whose conversation doesn't exist. A message is good until fn
// returns.
func (db *DB) EachRawMessage(ctx context.Context, conv int64, fn func(*RawMessage) error) error {
	s := db.Schema()
	if !s.hasCore("messages") {
		return nil
	}
	indexed, indexes, from := "1", "NULL", " FROM messages m"
	if s.Searchable(ftsMessages) {
		indexed, indexes = "d.id IS NOT NULL AND f.id IS NOT NULL", "CASE WHEN f.c0 IS NOT m.content THEN f.c0 END"
		from += " LEFT JOIN messages_fts_docsize d ON d.id = m.message_id LEFT JOIN messages_fts_content f ON f.id = m.message_id"
	}
	query := "SELECT m.message_id, m.seq, m.role, " + s.stored("messages", "m", `content token_count created_at identity_hash large_content
		transcript_entry_id stable_event_key openclaw_sender_metadata`) + ", " + indexed + ", " + indexes + from +
		" WHERE m.conversation_id = ? ORDER BY m.seq"
	var m RawMessage
	return Each(ctx, db, "read messages", query, []any{conv}, func(scan RowScanner) error {
		err := scan((*Integer)(&m.ID), (*Integer)(&m.Seq), (*Word)(&m.Role), &m.Content, &m.Tokens, &m.CreatedAt, (*Text)(&m.Hash),
			&m.LargeContent, (*Text)(&m.Entry), (*Text)(&m.EventKey), &m.Sender, &m.Indexed, &m.IndexedText)
		if err != nil {
			return err
		}
		return fn(&m)
	})
}

// RawMessage is a message as it is stored, with its parts and its text, or a NotFoundError.
func (db *DB) RawMessage(ctx context.Context, id int64) (*RawMessage, error) {
	s := db.Schema()
	m := &RawMessage{ID: id}
	query := "SELECT " + s.exprs("messages", "m", "content", "openclaw_sender_metadata", "large_content") + " FROM messages m WHERE m.message_id = ?"
	ok, err := One(ctx, db, "read messages", query, []any{id}, &m.Content, &m.Sender, &m.LargeContent)
	if err != nil || !ok {
		return nil, errors.Join(err, db.NotFound("message", id))
	}
	if !s.Has("message_parts") {
		return m, nil
	}
	query = "SELECT " + s.exprs("message_parts", "p", "part_id", "part_type", "ordinal", "text_content", "tool_call_id", "tool_name",
		"tool_input", "tool_output", "metadata") + " FROM message_parts p WHERE p.message_id = ? ORDER BY p.ordinal"
	m.Parts, err = Collect(ctx, db, "read message parts", query, []any{id}, func(scan RowScanner, b *RawPart) error {
		return scan((*Text)(&b.ID), (*Word)(&b.Type), (*Integer)(&b.Ordinal), &b.Text, &b.ToolCallID, &b.ToolName, &b.ToolInput,
			&b.ToolOutput, &b.Metadata)
	})
	return m, err
}
