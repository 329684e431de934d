package lcm

import (
	"context"
	"errors"

	"lcm-tui/data"
)

// RawMessage is a row of messages with its cells as they are stored, and what the search table
// has of it.
type RawMessage struct {
	ID           int64
	Seq          int64
	Role         string
	Content      data.Stored
	Tokens       data.Number
	CreatedAt    data.Time
	Hash         string      // identity_hash; from 0.9.0.
	LargeContent data.Stored // From 0.10.0.
	Entry        string      // transcript_entry_id; from 0.13.0.
	EventKey     string      // stable_event_key; from 0.15.2.
	Sender       data.Stored // JSON about who wrote it; from 0.15.2.
	Indexed      bool        // The search table has the message.
	IndexedText  data.Stored // What the search table holds where that isn't the content, else NULL.
	Parts        []RawPart   // In order; EachRawMessage leaves them out.
}

// EachRawMessage calls fn with every message of a conversation by seq, or for 0
// with every message whose conversation doesn't exist. A message is good until fn
// returns.
func EachRawMessage(ctx context.Context, db data.Querier, conv int64, fn func(*RawMessage) error) error {
	s := db.Schema()
	if !s.HasCore("messages") {
		return nil
	}
	indexed, indexes, from := "1", "NULL", " FROM messages m"
	if s.Searchable(data.MessageIndex) {
		indexed, indexes = "d.id IS NOT NULL AND f.id IS NOT NULL", "CASE WHEN f.c0 IS NOT m.content THEN f.c0 END"
		from += " LEFT JOIN messages_fts_docsize d ON d.id = m.message_id LEFT JOIN messages_fts_content f ON f.id = m.message_id"
	}
	query := "SELECT m.message_id, m.seq, m.role, " + s.Stored("messages", "m", `content token_count created_at identity_hash large_content
		transcript_entry_id stable_event_key openclaw_sender_metadata`) + ", " + indexed + ", " + indexes + from +
		" WHERE m.conversation_id = ? ORDER BY m.seq"
	var m RawMessage
	return data.Each(ctx, db, "read messages", query, []any{conv}, func(scan data.RowScanner) error {
		err := scan((*data.Integer)(&m.ID), (*data.Integer)(&m.Seq), (*data.Word)(&m.Role), &m.Content, &m.Tokens, &m.CreatedAt, (*data.Text)(&m.Hash),
			&m.LargeContent, (*data.Text)(&m.Entry), (*data.Text)(&m.EventKey), &m.Sender, &m.Indexed, &m.IndexedText)
		if err != nil {
			return err
		}
		return fn(&m)
	})
}

// ReadRawMessage returns a message as it is stored, with its parts and its text, or a NotFoundError.
func ReadRawMessage(ctx context.Context, db data.Querier, id int64) (*RawMessage, error) {
	s := db.Schema()
	m := &RawMessage{ID: id}
	query := "SELECT " + s.Exprs("messages", "m", "content", "openclaw_sender_metadata", "large_content") + " FROM messages m WHERE m.message_id = ?"
	ok, err := data.One(ctx, db, "read messages", query, []any{id}, &m.Content, &m.Sender, &m.LargeContent)
	if err != nil || !ok {
		return nil, errors.Join(err, db.NotFound("message", id))
	}
	if !s.Has("message_parts") {
		return m, nil
	}
	query = "SELECT " + s.Exprs("message_parts", "p", "part_id", "part_type", "ordinal", "text_content", "tool_call_id", "tool_name",
		"tool_input", "tool_output", "metadata") + " FROM message_parts p WHERE p.message_id = ? ORDER BY p.ordinal"
	m.Parts, err = data.Collect(ctx, db, "read message parts", query, []any{id}, func(scan data.RowScanner, b *RawPart) error {
		return scan((*data.Text)(&b.ID), (*data.Word)(&b.Type), (*data.Integer)(&b.Ordinal), &b.Text, &b.ToolCallID, &b.ToolName, &b.ToolInput,
			&b.ToolOutput, &b.Metadata)
	})
	return m, err
}
