package data

import "context"

// RawMessage is a row of messages as it stands, and what the search table knows
// of it.
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
	s := db.schema
	if !s.ours("messages") {
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
	return db.each(ctx, "read messages", query, []any{conv}, func(scan RowScanner) error {
		err := scan((*integer)(&m.ID), (*integer)(&m.Seq), (*word)(&m.Role), &m.Content, &m.Tokens, &m.CreatedAt, (*text)(&m.Hash),
			&m.LargeContent, (*text)(&m.Entry), (*text)(&m.EventKey), &m.Sender, &m.Indexed, &m.IndexedText)
		if err != nil {
			return err
		}
		return fn(&m)
	})
}

// Searchable reports whether the search table is one that can be kept in step.
func (s *Schema) Searchable(table string) bool {
	for _, t := range s.FTS {
		if t == table {
			return s.Has(table+"_content", "id", "c0") && s.Has(table+"_docsize", "id")
		}
	}
	return false
}

// EachRawPart calls fn with every part of a conversation's messages, by the
// messages' seq and then by ordinal. A part is good until fn returns.
func (db *DB) EachRawPart(ctx context.Context, conv int64, fn func(*RawPart) error) error {
	s := db.schema
	if !s.ours("messages", "message_parts") {
		return nil
	}
	query := "SELECT p.message_id, " + s.stored("message_parts", "p", `part_id part_type ordinal text_content tool_call_id tool_name
		tool_input tool_output metadata`) + ` FROM messages m CROSS JOIN message_parts p ON p.message_id = m.message_id
		WHERE m.conversation_id = ? ORDER BY m.seq, p.ordinal`
	var p RawPart
	return db.each(ctx, "read message parts", query, []any{conv}, func(scan RowScanner) error {
		err := scan((*integer)(&p.Message), (*text)(&p.ID), (*word)(&p.Type), (*integer)(&p.Ordinal), &p.Text, &p.ToolCallID,
			&p.ToolName, &p.ToolInput, &p.ToolOutput, &p.Metadata)
		if err != nil {
			return err
		}
		return fn(&p)
	})
}
