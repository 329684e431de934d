package lcm

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
)

// Message is a row of messages with what belongs to it.
type Message struct {
	ID           int64     `json:"message_id"`
	Conversation int64     `json:"-"`
	Seq          int64     `json:"seq"`
	Role         string    `json:"role"`
	Content      string    `json:"content"`
	Bytes        int64     `json:"-"`                   // The length of the whole content.
	Forgotten    bool      `json:"forgotten,omitempty"` // The content is the stub of a forgotten text.
	Tokens       int64     `json:"token_count"`
	CreatedAt    data.Time `json:"created_at"`
	LargeContent string    `json:"large_content,omitempty"` // The id of the file that holds the payload, or empty.
	// Sender is what the host noted about who wrote a user's message: JSON, or empty. From
	// 0.15.2.
	Sender string `json:"-"`
	// Entry is the transcript_entry_id, or empty; from 0.13. EventKey is the
	// stable_event_key, or empty; from 0.15.2.
	Entry    string `json:"-"`
	EventKey string `json:"-"`
	Parts    []Part `json:"parts"`
	// Unfilled says that the file is older than the migration by which a host fills the tool
	// columns of parts from their metadata. A model is shown the parts as that leaves them.
	Unfilled   bool     `json:"-"`
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

// Messages returns a page of a conversation's messages in the order of seq. Without
// Before and After it is the newest page.
func Messages(ctx context.Context, db data.Querier, conv int64, p Page) ([]Message, error) {
	q := data.RowQuery{Where: "conversation_id = ?", Args: []any{conv}, Order: "seq DESC", Limit: p.Limit}
	switch {
	case p.Before != 0:
		q.Where, q.Args = q.Where+" AND seq < ?", append(q.Args, p.Before)
	case p.After != 0:
		q.Where, q.Args, q.Order = q.Where+" AND seq > ?", append(q.Args, p.After), "seq ASC"
	}
	ms, err := messages(ctx, db, q, p.Clip)
	if err != nil {
		return nil, err
	}
	if q.Order == "seq DESC" {
		slices.Reverse(ms)
	}
	return ms, addRelations(ctx, db, ms, p.Clip)
}

// ReadMessage returns one message, with its whole texts, or a NotFoundError.
func ReadMessage(ctx context.Context, db data.Querier, id int64) (Message, error) {
	ms, err := messages(ctx, db, data.RowQuery{Where: "message_id = ?", Args: []any{id}}, data.WholeText)
	if err != nil {
		return Message{}, err
	}
	if len(ms) == 0 {
		return Message{}, db.NotFound("message", id)
	}
	return ms[0], addRelations(ctx, db, ms, data.WholeText)
}

// SourceMessages returns the messages that a leaf summary was made of, by seq.
func SourceMessages(ctx context.Context, db data.Querier, summary string, clipBytes int) ([]Message, error) {
	if !db.Schema().Has("summary_messages") {
		return nil, nil
	}
	const in = "message_id IN (SELECT message_id FROM summary_messages WHERE summary_id = ?)"
	return messages(ctx, db, data.RowQuery{Where: in, Args: []any{summary}, Order: "seq"}, clipBytes)
}

// messages reads the rows of a query without their parts.
func messages(ctx context.Context, db data.Querier, q data.RowQuery, clipBytes int) ([]Message, error) {
	s := db.Schema()
	if !s.Has("messages") {
		return nil, nil
	}
	content := s.Expr("messages", "messages", "content", "''")
	q.Selected = "message_id, conversation_id, seq, role, " + s.Clip(content, clipBytes) + ", " + s.ByteLength(content) + ", " +
		s.Exprs("messages", "messages", messageColumns...)
	q.From, q.Number, q.KeyOrder = "messages", "messages.rowid", q.Order
	unfilled := !s.Has("lcm_migration_state")
	return data.CollectRows(ctx, db, "read messages", q, nil, func(scan data.RowScanner, m *Message) error {
		err := m.scan(s, scan)
		m.Content = data.Clipped(m.Content, clipBytes)
		m.Parts, m.SummaryIDs, m.Unfilled = []Part{}, []string{}, unfilled
		return err
	})
}

// messageColumns are those that are read of a message beside its ids, role and text.
var messageColumns = []string{"token_count", "created_at", "large_content", "openclaw_sender_metadata", "transcript_entry_id", "stable_event_key"}

// scan reads the message's ids, role, text, the text's length and messageColumns.
func (m *Message) scan(s *data.Schema, scan data.RowScanner) error {
	err := scan((*data.Integer)(&m.ID), (*data.Integer)(&m.Conversation), (*data.Integer)(&m.Seq), (*data.Word)(&m.Role), (*data.Text)(&m.Content),
		(*data.Integer)(&m.Bytes), (*data.Integer)(&m.Tokens), &m.CreatedAt, (*data.Text)(&m.LargeContent), (*data.Text)(&m.Sender), (*data.Text)(&m.Entry),
		(*data.Text)(&m.EventKey))
	m.Bytes = s.TextBytes(m.Content, m.Bytes)
	m.Forgotten = data.IsForgotten(m.Content) || m.Clipped() && strings.HasPrefix(m.Content, data.ForgottenPrefix)
	return err
}

// EachMessage calls fn with a conversation's messages by seq, one at a time, with whole
// texts and without parts.
func EachMessage(ctx context.Context, db data.Querier, conv int64, fn func(Message) error) error {
	s := db.Schema()
	if !s.Has("messages") {
		return nil
	}
	content := s.Expr("messages", "m", "content", "''")
	query := "SELECT " + s.Exprs("messages", "m", "message_id", "conversation_id", "seq", "role") + ", " + content + ", " + s.ByteLength(content) + ", " +
		s.Exprs("messages", "m", messageColumns...) + " FROM messages m WHERE m.conversation_id = ? ORDER BY m.seq"
	return data.Each(ctx, db, "read messages", query, []any{conv}, func(scan data.RowScanner) error {
		var m Message
		if err := m.scan(s, scan); err != nil {
			return err
		}
		return fn(m)
	})
}

// WholeMessages returns these messages with their whole texts and parts, in the order of
// ids. A message that doesn't exist is left out.
func WholeMessages(ctx context.Context, db data.Querier, ids []int64) ([]Message, error) {
	at := make(map[int64]Message, len(ids))
	for chunk := range slices.Chunk(ids, data.MaxArgs) {
		if err := sourceChunk(ctx, db, chunk, at); err != nil {
			return nil, err
		}
	}
	out := make([]Message, 0, len(at))
	for _, id := range ids {
		if s, ok := at[id]; ok {
			out = append(out, s)
			noteRead(ctx, SourceText{Message: id}, s.digestedFields())
		}
	}
	return out, nil
}

// LeafMessages returns the messages that a leaf was made of, in the order of its
// links, which is that in which they were summarized.
func LeafMessages(ctx context.Context, db data.Querier, summary string) ([]Message, error) {
	if !db.Schema().Has("summary_messages") {
		return nil, nil
	}
	const query = "SELECT message_id FROM summary_messages WHERE summary_id = ? ORDER BY ordinal, message_id"
	ids, err := data.Collect(ctx, db, "read message links", query, []any{summary}, func(scan data.RowScanner, id *int64) error {
		return scan((*data.Integer)(id))
	})
	if err != nil {
		return nil, err
	}
	return WholeMessages(ctx, db, ids)
}

func sourceChunk(ctx context.Context, db data.Querier, ids []int64, at map[int64]Message) error {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	ms, err := messages(ctx, db, data.RowQuery{Where: "message_id IN (" + data.Marks(len(ids)) + ")", Args: args}, data.WholeText)
	if err != nil {
		return err
	}
	if err := addRelations(ctx, db, ms, data.WholeText); err != nil {
		return err
	}
	for _, m := range ms {
		at[m.ID] = m
	}
	return nil
}

// UncountedMessages returns the messages of a conversation's context that a host counts otherwise
// than by their stored tokens alone: with the id, the sender and, only where no tokens are
// stored, the text.
func UncountedMessages(ctx context.Context, db data.Querier, conv int64) ([]Message, error) {
	s := db.Schema()
	if !s.Has("context_items", "conversation_id", "message_id") || !s.Has("messages", "message_id", "role", "token_count", "content") {
		return nil, nil
	}
	const unstored = "CAST(coalesce(m.token_count, 0) AS INTEGER) <= 0"
	column := "NULL"
	if s.ReadsSenders() {
		column = s.Expr("messages", "m", "openclaw_sender_metadata", "NULL")
	}
	sender := "CASE WHEN m.role = 'user' THEN " + column + " END"
	query := "SELECT m.message_id, CASE WHEN " + unstored + " THEN m.content END, " + sender +
		` FROM context_items ci CROSS JOIN messages m ON m.message_id = ci.message_id
		WHERE ci.conversation_id = ? AND (` + unstored + " OR " + sender + " IS NOT NULL)"
	return data.Collect(ctx, db, "read context", query, []any{conv}, func(scan data.RowScanner, m *Message) error {
		return scan((*data.Integer)(&m.ID), (*data.Text)(&m.Content), (*data.Text)(&m.Sender))
	})
}

// MessagesByID returns these messages by their ids, each with the first clipBytes bytes of its text
// and without parts. One that doesn't exist is left out.
func MessagesByID(ctx context.Context, db data.Querier, ids []int64, clipBytes int) (map[int64]Message, error) {
	at := make(map[int64]Message, len(ids))
	for chunk := range slices.Chunk(ids, data.MaxArgs) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		ms, err := messages(ctx, db, data.RowQuery{Where: "message_id IN (" + data.Marks(len(chunk)) + ")", Args: args}, clipBytes)
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			at[m.ID] = m
		}
	}
	return at, nil
}

// Previews returns messages with the start of their texts, in the order of ids. One that
// doesn't exist is left out.
func Previews(ctx context.Context, db data.Querier, ids []int64) ([]Message, error) {
	at, err := MessagesByID(ctx, db, ids, data.PreviewBytes)
	if err != nil {
		return nil, err
	}
	out := make([]Message, 0, len(at))
	for _, id := range ids {
		if m, ok := at[id]; ok {
			out = append(out, m)
		}
	}
	return out, nil
}

// NewestMessageTime returns the newest time of a conversation's messages; it isn't valid where no
// message has one that can be read. some says that there are messages.
func NewestMessageTime(ctx context.Context, db data.Querier, conv int64) (at data.Time, some bool, err error) {
	if !db.Schema().Has("messages", "created_at") {
		some, err = HasMessages(ctx, db, conv)
		return data.Time{Null: true}, some, err
	}
	const query = "SELECT created_at FROM messages WHERE conversation_id = ? ORDER BY julianday(created_at) DESC NULLS LAST LIMIT 1"
	some, err = data.One(ctx, db, "read messages", query, []any{conv}, &at)
	return at, some, err
}
