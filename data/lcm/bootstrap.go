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

// NewestEntry returns the transcript's entry of a conversation's newest message, or empty
// where its row names none.
func NewestEntry(ctx context.Context, db data.Querier, conv int64) (string, error) {
	var entry data.Text
	if !db.Schema().Has("messages", "transcript_entry_id") {
		return "", nil
	}
	const query = "SELECT transcript_entry_id FROM messages WHERE conversation_id = ? ORDER BY seq DESC LIMIT 1"
	_, err := data.One(ctx, db, "read messages", query, []any{conv}, &entry)
	return string(entry), err
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
