package data

import (
	"context"
	"slices"
	"strings"
)

// Message is a row of messages with what belongs to it.
type Message struct {
	ID           int64  `json:"message_id"`
	Conversation int64  `json:"-"`
	Seq          int64  `json:"seq"`
	Role         string `json:"role"`
	Content      string `json:"content"`
	Bytes        int64  `json:"-"` // The length of the whole content.
	Tokens       int64  `json:"token_count"`
	CreatedAt    Time   `json:"created_at"`
	LargeContent string `json:"large_content,omitempty"` // The id of the file that holds the payload, or empty.
	// Sender is what the host noted about who wrote a user's message: JSON, or empty. From
	// 0.15.2.
	Sender string `json:"-"`
	// Entry is the transcript_entry_id, or empty; from 0.13. EventKey is the
	// stable_event_key, or empty; from 0.15.2.
	Entry      string   `json:"-"`
	EventKey   string   `json:"-"`
	Parts      []Part   `json:"parts"`
	InContext  bool     `json:"in_context"`
	SummaryIDs []string `json:"summary_ids"` // The leaves that cover the message.
}

// Clipped reports whether Content is only the start of the stored text.
func (m Message) Clipped() bool { return int64(len(m.Content)) < m.Bytes }

// Page asks for messages by seq, which may be negative. At most one of Before and
// After is set.
type Page struct {
	Before int64 // Messages with a lower seq than this, the newest of them.
	After  int64 // Messages with a higher seq than this, the oldest of them.
	Limit  int
	Clip   int // How many bytes of each text; Whole for all.
}

// Messages is a page of a conversation's messages in the order of seq. Without
// Before and After it is the newest page.
func (db *DB) Messages(ctx context.Context, conv int64, p Page) ([]Message, error) {
	q := rowQuery{where: "conversation_id = ?", args: []any{conv}, order: "seq DESC", limit: p.Limit}
	switch {
	case p.Before != 0:
		q.where, q.args = q.where+" AND seq < ?", append(q.args, p.Before)
	case p.After != 0:
		q.where, q.args, q.order = q.where+" AND seq > ?", append(q.args, p.After), "seq ASC"
	}
	ms, err := db.messages(ctx, q, p.Clip)
	if err != nil {
		return nil, err
	}
	if q.order == "seq DESC" {
		slices.Reverse(ms)
	}
	return ms, db.complete(ctx, ms, p.Clip)
}

// Message is one message, with its whole texts, or a NotFoundError.
func (db *DB) Message(ctx context.Context, id int64) (Message, error) {
	ms, err := db.messages(ctx, rowQuery{where: "message_id = ?", args: []any{id}}, WholeText)
	if err != nil {
		return Message{}, err
	}
	if len(ms) == 0 {
		return Message{}, db.notFound("message", id)
	}
	return ms[0], db.complete(ctx, ms, WholeText)
}

// SourceMessages are the messages that a leaf summary was made of, by seq.
func (db *DB) SourceMessages(ctx context.Context, summary string, clipBytes int) ([]Message, error) {
	if !db.schema.Has("summary_messages") {
		return nil, nil
	}
	const in = "message_id IN (SELECT message_id FROM summary_messages WHERE summary_id = ?)"
	return db.messages(ctx, rowQuery{where: in, args: []any{summary}, order: "seq"}, clipBytes)
}

// messages reads the rows of a query without their parts.
func (db *DB) messages(ctx context.Context, q rowQuery, clipBytes int) ([]Message, error) {
	s := db.schema
	if !s.Has("messages") {
		return nil, nil
	}
	content := s.expr("messages", "messages", "content", "''")
	q.selected = "message_id, conversation_id, seq, role, " + clip(content, clipBytes) + ", " + byteLength(content) + ", " +
		s.exprs("messages", "messages", messageColumns...)
	q.from, q.number, q.keyOrder = "messages", "messages.rowid", q.order
	return collectRows(ctx, db, "read messages", q, nil, func(scan RowScanner, m *Message) error {
		err := m.scan(scan)
		m.Content = wholeRunes(m.Content, clipBytes != WholeText)
		m.Parts, m.SummaryIDs = []Part{}, []string{}
		return err
	})
}

// messageColumns are those that are read of a message beside its ids, role and text.
var messageColumns = []string{"token_count", "created_at", "large_content", "openclaw_sender_metadata", "transcript_entry_id", "stable_event_key"}

// scan reads the message's ids, role, text, the text's length and messageColumns.
func (m *Message) scan(scan RowScanner) error {
	return scan((*integer)(&m.ID), (*integer)(&m.Conversation), (*integer)(&m.Seq), (*word)(&m.Role), (*text)(&m.Content),
		(*integer)(&m.Bytes), (*integer)(&m.Tokens), &m.CreatedAt, (*text)(&m.LargeContent), (*text)(&m.Sender), (*text)(&m.Entry),
		(*text)(&m.EventKey))
}

// EachMessage calls fn with a conversation's messages by seq, one at a time, with whole
// texts and without parts.
func (db *DB) EachMessage(ctx context.Context, conv int64, fn func(Message) error) error {
	s := db.schema
	if !s.Has("messages") {
		return nil
	}
	content := s.expr("messages", "m", "content", "''")
	query := "SELECT " + s.exprs("messages", "m", "message_id", "conversation_id", "seq", "role") + ", " + content + ", " + byteLength(content) + ", " +
		s.exprs("messages", "m", messageColumns...) + " FROM messages m WHERE m.conversation_id = ? ORDER BY m.seq"
	return db.each(ctx, "read messages", query, []any{conv}, func(scan RowScanner) error {
		var m Message
		if err := m.scan(scan); err != nil {
			return err
		}
		return fn(m)
	})
}

// complete adds what hangs on the messages, with one query each.
func (db *DB) complete(ctx context.Context, ms []Message, clipBytes int) error {
	if len(ms) == 0 {
		return nil
	}
	at := make(map[int64]*Message, len(ms))
	ids := make([]any, 0, len(ms))
	for i := range ms {
		at[ms[i].ID] = &ms[i]
		ids = append(ids, ms[i].ID)
	}
	for chunk := range slices.Chunk(ids, maxArgs) {
		if err := db.completeChunk(ctx, at, chunk, clipBytes); err != nil {
			return err
		}
	}
	return nil
}

// maxArgs stays below the least number of parameters that any SQLite takes.
const maxArgs = 900

func (db *DB) completeChunk(ctx context.Context, at map[int64]*Message, ids []any, clipBytes int) error {
	in := " IN (" + marks(len(ids)) + ")"
	if db.schema.Has("message_parts") {
		ps, err := db.parts(ctx, "message_id"+in, ids, clipBytes)
		if err != nil {
			return err
		}
		for _, p := range ps {
			if m := at[p.Message]; m != nil { // A damaged index may lead to rows of others.
				m.Parts = append(m.Parts, p)
			}
		}
	}
	if db.schema.Has("summary_messages") {
		err := db.each(ctx, "read links", "SELECT message_id, summary_id FROM summary_messages WHERE message_id"+in, ids,
			func(scan RowScanner) error {
				var id integer
				var sum text
				err := scan(&id, &sum)
				if m := at[int64(id)]; m != nil {
					m.SummaryIDs = append(m.SummaryIDs, string(sum))
				}
				return err
			})
		if err != nil {
			return err
		}
	}
	return db.markInContext(ctx, at, ids)
}

// markInContext asks by conversation, since only that is indexed.
func (db *DB) markInContext(ctx context.Context, at map[int64]*Message, ids []any) error {
	if !db.schema.Has("context_items") {
		return nil
	}
	convs := map[int64]bool{}
	for _, id := range ids {
		convs[at[id.(int64)].Conversation] = true
	}
	for conv := range convs {
		err := db.each(ctx, "read context", "SELECT message_id FROM context_items WHERE conversation_id = ? AND message_id IS NOT NULL",
			[]any{conv}, func(scan RowScanner) error {
				var id integer
				err := scan(&id)
				if m := at[int64(id)]; m != nil {
					m.InContext = true
				}
				return err
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// marks is n parameter marks.
func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }
