package lcm

import (
	"context"

	"lcm-tui/data"
)

// MessageHeader is a message without its text: what tells it from others, and where it
// belongs.
type MessageHeader struct {
	ID, Seq   int64
	Role      string
	Tokens    data.Number
	CreatedAt data.Time
	Entry     string // The transcript_entry_id, or empty. From 0.13.
	EventKey  string // The stable_event_key, or empty. From 0.15.2.
	// CompactionNote says that the message is a note of a host up to 0.6 about a compaction,
	// which belongs nowhere; Blank, that it has a blank text and no parts. Only
	// ClassifiedMessageHeaders tells.
	CompactionNote, Blank bool
}

const headerColumns = "message_id seq role token_count created_at transcript_entry_id stable_event_key"

func (m *MessageHeader) scan(scan data.RowScanner, more ...any) error {
	return scan(append([]any{
		(*data.Integer)(&m.ID), (*data.Integer)(&m.Seq), (*data.Word)(&m.Role), &m.Tokens, &m.CreatedAt, (*data.Text)(&m.Entry), (*data.Text)(&m.EventKey),
	}, more...)...)
}

// EachMessageHeader calls fn with the headers of a conversation's messages by seq, one at a
// time. It reads no text.
func EachMessageHeader(ctx context.Context, db data.Querier, conv int64, fn func(MessageHeader) error) error {
	s := db.Schema()
	if !s.Has("messages") {
		return nil
	}
	query := "SELECT " + s.Stored("messages", "m", headerColumns) + " FROM messages m WHERE m.conversation_id = ? ORDER BY m.seq"
	return data.Each(ctx, db, "read messages", query, []any{conv}, func(scan data.RowScanner) error {
		var m MessageHeader
		if err := m.scan(scan); err != nil {
			return err
		}
		return fn(m)
	})
}

// MessageHeaders returns the headers of a conversation's messages by seq. It reads no text.
func MessageHeaders(ctx context.Context, db data.Querier, conv int64) (out []MessageHeader, err error) {
	err = EachMessageHeader(ctx, db, conv, func(m MessageHeader) error {
		out = append(out, m)
		return nil
	})
	return out, err
}

// ClassifiedMessageHeaders returns the headers of a conversation's messages by seq and id, which
// say also what kind of text each has: it reads the texts, which takes longer.
func ClassifiedMessageHeaders(ctx context.Context, db data.Querier, conv int64) ([]MessageHeader, error) {
	s := db.Schema()
	if !s.Has("messages") {
		return nil, nil
	}
	parts := "0"
	if s.Has("message_parts") {
		parts = "EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = m.message_id)"
	}
	query := "SELECT " + s.Stored("messages", "m", headerColumns) + `,
		m.role = 'system' AND m.content LIKE 'LCM compaction % pass (%',
		` + data.JsBlank("m.content") + " AND NOT " + parts + " FROM messages m WHERE m.conversation_id = ? ORDER BY m.seq, m.message_id"
	return data.Collect(ctx, db, "read messages", query, []any{conv}, func(scan data.RowScanner, m *MessageHeader) error {
		var note, blank data.Integer
		err := m.scan(scan, &note, &blank)
		m.CompactionNote, m.Blank = note != 0, blank != 0
		return err
	})
}
