package lcm

import (
	"context"

	"lcm-tui/data"
)

// Bootstrap is what the host remembers of a transcript that it read. From 0.5.
type Bootstrap struct {
	Conversation int64
	Path         string
	Size         int64 // Of the file when it was read last.
	ModTimeMS    int64
	Offset       int64 // Behind the last entry that was read.
	LastEntry    string
	LastHash     string // Of the role and the text of the last entry that was read.
}

// Bootstraps returns the transcripts that the host or an import has read, by
// conversation.
func Bootstraps(ctx context.Context, db data.Querier) (map[int64]Bootstrap, error) {
	s, out := db.Schema(), map[int64]Bootstrap{}
	if !s.Has(data.BootstrapTable) {
		return out, nil
	}
	query := "SELECT b.conversation_id, " + s.Exprs(data.BootstrapTable, "b", "session_file_path", "last_seen_size",
		"last_seen_mtime_ms", "last_processed_offset", "last_processed_entry_id", "last_processed_entry_hash") + " FROM " + data.BootstrapTable + " b"
	err := data.Each(ctx, db, "read transcripts", query, nil, func(scan data.RowScanner) error {
		var b Bootstrap
		err := scan((*data.Integer)(&b.Conversation), (*data.Text)(&b.Path), (*data.Integer)(&b.Size), (*data.Integer)(&b.ModTimeMS),
			(*data.Integer)(&b.Offset), (*data.Text)(&b.LastEntry), (*data.Text)(&b.LastHash))
		out[b.Conversation] = b
		return err
	})
	return out, err
}

// NewestMessage is the newest message of a conversation: its id, 0 for none, its role, and the transcript's
// entry, empty where its row names none.
type NewestMessage struct {
	ID          int64
	Role, Entry string
}

// ReadNewestMessage reads the newest message of a conversation. It reads one row, however long the
// conversation is.
func ReadNewestMessage(ctx context.Context, db data.Querier, conv int64) (m NewestMessage, err error) {
	query := "SELECT m.message_id, m.role, " + db.Schema().Expr("messages", "m", "transcript_entry_id", "NULL") +
		" FROM messages m WHERE m.conversation_id = ? ORDER BY m.seq DESC LIMIT 1"
	_, err = data.One(ctx, db, "read messages", query, []any{conv}, (*data.Integer)(&m.ID), (*data.Text)(&m.Role), (*data.Text)(&m.Entry))
	return m, err
}

// NewestTexts returns the newest message with a text of each role, in the order of the conversation, with the
// start of its text. It looks at no more than the newest messages.
func NewestTexts(ctx context.Context, db data.Querier, conv int64, roles ...string) (out []Message, err error) {
	const query = "SELECT message_id, role, substr(content, 1, 2000) FROM (SELECT message_id, role, content, seq FROM messages WHERE conversation_id = ? ORDER BY seq DESC LIMIT 200) " +
		"WHERE role = ? AND trim(content) <> '' ORDER BY seq DESC LIMIT 1"
	for _, role := range roles {
		var m Message
		some, err := data.One(ctx, db, "read messages", query, []any{conv, role}, (*data.Integer)(&m.ID), (*data.Text)(&m.Role), (*data.Text)(&m.Content))
		if err != nil {
			return out, err
		}
		if some {
			out = append(out, m)
		}
	}
	return out, nil
}

// HasEntry reports whether a conversation has a message of a transcript's entry, or of an event; empty is
// none. Both are indexed.
func HasEntry(ctx context.Context, db data.Querier, conv int64, entry, event string) (bool, error) {
	for column, id := range map[string]string{"transcript_entry_id": entry, "stable_event_key": event} {
		if id == "" || !db.Schema().Has("messages", column) {
			continue
		}
		var found data.Integer
		some, err := data.One(ctx, db, "read messages", "SELECT 1 FROM messages WHERE conversation_id = ? AND "+column+" = ?", []any{conv, id}, &found)
		if err != nil || some {
			return some, err
		}
	}
	return false, nil
}

// ConversationOfEntry returns the oldest conversation that has a transcript's entry, or 0.
// It looks at one conversation after the other, since entries are indexed so.
func ConversationOfEntry(ctx context.Context, db data.Querier, entry string) (conv int64, err error) {
	if entry == "" || !db.Schema().Has("messages", "transcript_entry_id") || !db.Schema().Has("conversations") {
		return 0, nil
	}
	const query = `SELECT c.conversation_id FROM conversations c CROSS JOIN messages m
		ON m.conversation_id = c.conversation_id AND m.transcript_entry_id = ? ORDER BY c.conversation_id LIMIT 1`
	_, err = data.One(ctx, db, "read messages", query, []any{entry}, (*data.Integer)(&conv))
	return conv, err
}

// EachUserText calls fn with the messages of a conversation's user that have a text, in order, with the start of the
// text.
func EachUserText(ctx context.Context, db data.Querier, conv int64, fn func(Message)) error {
	const query = "SELECT message_id, substr(content, 1, 2000), created_at FROM messages WHERE conversation_id = ? AND role = 'user' AND trim(content) <> '' ORDER BY seq"
	return data.Each(ctx, db, "read messages", query, []any{conv}, func(scan data.RowScanner) error {
		m := Message{Role: "user"}
		err := scan((*data.Integer)(&m.ID), (*data.Text)(&m.Content), &m.CreatedAt)
		fn(m)
		return err
	})
}
