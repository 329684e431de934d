package data

import (
	"context"
	"slices"
)

// Source is a message with all that a summary is made of.
type Source struct {
	Message
	// Sender is what the host noted about who wrote a user's message: JSON, or
	// empty. From 0.15.2.
	Sender string
}

// Sources are these messages with their whole texts and parts, in the order of
// ids. A message that doesn't exist is left out.
func (db *DB) Sources(ctx context.Context, ids []int64) ([]Source, error) {
	at := make(map[int64]Source, len(ids))
	for chunk := range slices.Chunk(ids, maxArgs) {
		if err := db.sourceChunk(ctx, chunk, at); err != nil {
			return nil, err
		}
	}
	out := make([]Source, 0, len(at))
	for _, id := range ids {
		if s, ok := at[id]; ok {
			out = append(out, s)
			note(ctx, SourceText{Message: id}, s.essence())
		}
	}
	return out, nil
}

// LeafSources are the messages that a leaf was made of, in the order of its
// links, which is that in which they were summarized.
func (db *DB) LeafSources(ctx context.Context, summary string) ([]Source, error) {
	if !db.schema.Has("summary_messages") {
		return nil, nil
	}
	const query = "SELECT message_id FROM summary_messages WHERE summary_id = ? ORDER BY ordinal, message_id"
	ids, err := collect(ctx, db, "read message links", query, []any{summary}, func(scan RowScanner, id *int64) error {
		return scan((*integer)(id))
	})
	if err != nil {
		return nil, err
	}
	return db.Sources(ctx, ids)
}

func (db *DB) sourceChunk(ctx context.Context, ids []int64, at map[int64]Source) error {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	ms, err := db.messages(ctx, rowQuery{where: "message_id IN (" + marks(len(ids)) + ")", args: args}, WholeText)
	if err != nil {
		return err
	}
	if err := db.complete(ctx, ms, WholeText); err != nil {
		return err
	}
	for _, m := range ms {
		at[m.ID] = Source{Message: m}
	}
	return db.senders(ctx, args, at)
}

func (db *DB) senders(ctx context.Context, ids []any, at map[int64]Source) error {
	const column = "openclaw_sender_metadata"
	if !db.schema.Has("messages", column) {
		return nil
	}
	query := "SELECT message_id, " + column + " FROM messages WHERE " + column + " IS NOT NULL AND message_id IN (" + marks(len(ids)) + ")"
	return db.each(ctx, "read senders", query, ids, func(scan RowScanner) error {
		var id integer
		var sender text
		err := scan(&id, &sender)
		s := at[int64(id)]
		s.Sender = string(sender)
		at[int64(id)] = s
		return err
	})
}
