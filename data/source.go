package data

import (
	"context"
	"slices"
)

// WholeMessages are these messages with their whole texts and parts, in the order of
// ids. A message that doesn't exist is left out.
func (db *DB) WholeMessages(ctx context.Context, ids []int64) ([]Message, error) {
	at := make(map[int64]Message, len(ids))
	for chunk := range slices.Chunk(ids, maxArgs) {
		if err := db.sourceChunk(ctx, chunk, at); err != nil {
			return nil, err
		}
	}
	out := make([]Message, 0, len(at))
	for _, id := range ids {
		if s, ok := at[id]; ok {
			out = append(out, s)
			note(ctx, SourceText{Message: id}, s.essence())
		}
	}
	return out, nil
}

// LeafMessages are the messages that a leaf was made of, in the order of its
// links, which is that in which they were summarized.
func (db *DB) LeafMessages(ctx context.Context, summary string) ([]Message, error) {
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
	return db.WholeMessages(ctx, ids)
}

func (db *DB) sourceChunk(ctx context.Context, ids []int64, at map[int64]Message) error {
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
		at[m.ID] = m
	}
	return nil
}
