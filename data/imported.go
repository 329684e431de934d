package data

import (
	"context"
	"strings"
	"time"
)

// Bootstrap is what the host remembers of a transcript that it read. From 0.5.
type Bootstrap struct {
	Conversation int64
	Path         string
	Size         int64 // Of the file when it was read last.
	ModTimeMS    int64
	Offset       int64 // Behind the last entry that was read.
	LastEntry    string
}

const bootstrapTable = "conversation_bootstrap_state"

// Bootstraps are the transcripts that the host or an import has read, by
// conversation.
func (db *DB) Bootstraps(ctx context.Context) (map[int64]Bootstrap, error) {
	s, out := db.schema, map[int64]Bootstrap{}
	if !s.Has(bootstrapTable) {
		return out, nil
	}
	query := "SELECT b.conversation_id, " + s.exprs(bootstrapTable, "b", "session_file_path", "last_seen_size",
		"last_seen_mtime_ms", "last_processed_offset", "last_processed_entry_id") + " FROM " + bootstrapTable + " b"
	err := db.each(ctx, "read transcripts", query, nil, func(scan RowScanner) error {
		var b Bootstrap
		err := scan((*integer)(&b.Conversation), (*text)(&b.Path), (*integer)(&b.Size), (*integer)(&b.ModTimeMS),
			(*integer)(&b.Offset), (*text)(&b.LastEntry))
		out[b.Conversation] = b
		return err
	})
	return out, err
}

// NewestEntry is the transcript's entry of a conversation's newest message, or empty
// where its row names none.
func (db *DB) NewestEntry(ctx context.Context, conv int64) (string, error) {
	var entry text
	if !db.schema.Has("messages", "transcript_entry_id") {
		return "", nil
	}
	const query = "SELECT transcript_entry_id FROM messages WHERE conversation_id = ? ORDER BY seq DESC LIMIT 1"
	_, err := db.one(ctx, "read messages", query, []any{conv}, &entry)
	return string(entry), err
}

// ConversationOfEntry is the oldest conversation that has a transcript's entry, or 0.
// It looks at one conversation after the other, since entries are indexed so.
func (db *DB) ConversationOfEntry(ctx context.Context, entry string) (conv int64, err error) {
	if entry == "" || !db.schema.Has("messages", "transcript_entry_id") || !db.schema.Has("conversations") {
		return 0, nil
	}
	const query = `SELECT c.conversation_id FROM conversations c CROSS JOIN messages m
		ON m.conversation_id = c.conversation_id AND m.transcript_entry_id = ? ORDER BY c.conversation_id LIMIT 1`
	_, err = db.one(ctx, "read messages", query, []any{entry}, (*integer)(&conv))
	return conv, err
}

// NextNumbers are where rows would be appended.
type NextNumbers struct {
	Seq          int64 // The next seq, from 1.
	Ordinal      int64 // The next place in the context, from 0.
	Message      int64 // The next message_id of the file.
	Conversation int64 // The next conversation_id of the file.
}

// NextNumbers finds the ends of a conversation, or of the file alone for one that isn't
// there. Ids of rows that are gone aren't given again.
func (db *DB) NextNumbers(ctx context.Context, conv int64) (e NextNumbers, err error) {
	query := `SELECT
		(SELECT max(coalesce(max(seq), 0), 0) + 1 FROM messages WHERE conversation_id = ?1),
		(SELECT coalesce(max(ordinal), -1) + 1 FROM context_items WHERE conversation_id = ?1),
		` + nextMessage + `,
		1 + max((SELECT coalesce(max(conversation_id), 0) FROM conversations), (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'conversations'))`
	_, err = db.one(ctx, "read ends", db.schema.counting(query), []any{conv}, (*integer)(&e.Seq), (*integer)(&e.Ordinal),
		(*integer)(&e.Message), (*integer)(&e.Conversation))
	return e, err
}

// nextMessage is the number of the next message.
const nextMessage = `1 + max((SELECT coalesce(max(message_id), 0) FROM messages), (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'messages'))`

// counting is a query of SQLite's own counters, for a file that may have none: somebody
// else made its tables.
func (s *Schema) counting(query string) string {
	if s.Has("sqlite_sequence") {
		return query
	}
	return strings.ReplaceAll(query, "FROM sqlite_sequence", "FROM (SELECT NULL name, NULL seq)")
}

// CountMessagesAndItems are how many messages a conversation has, and how many items its context.
func (db *DB) CountMessagesAndItems(ctx context.Context, conv int64) (messages, items int64, err error) {
	const query = `SELECT (SELECT count(*) FROM messages WHERE conversation_id = ?1), (SELECT count(*) FROM context_items WHERE conversation_id = ?1)`
	_, err = db.one(ctx, "count", query, []any{conv}, (*integer)(&messages), (*integer)(&items))
	return messages, items, err
}

// FormatTimeMillis is an instant as hosts note ranges and their own work: in UTC, to the
// millisecond.
func FormatTimeMillis(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// FormatTime is an instant as hosts store it: in UTC, to the second.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// ContextTokens are the tokens of a conversation's context as they are stored, with
// what stands there twice counted twice.
func (db *DB) ContextTokens(ctx context.Context, conv int64) (n int64, err error) {
	const query = `SELECT total(coalesce(m.token_count, s.token_count)) FROM context_items ci
		LEFT JOIN messages m ON m.message_id = ci.message_id LEFT JOIN summaries s ON s.summary_id = ci.summary_id WHERE ci.conversation_id = ?`
	_, err = db.one(ctx, "read context", query, []any{conv}, (*integer)(&n))
	return n, err
}
