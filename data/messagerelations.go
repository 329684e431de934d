package data

import (
	"context"
	"slices"
)

// addRelations adds the parts, the leaves and the place in the context to messages, with one
// query each.
func (db *DB) addRelations(ctx context.Context, ms []Message, clipBytes int) error {
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
		if err := db.addRelationsOf(ctx, at, chunk, clipBytes); err != nil {
			return err
		}
	}
	return nil
}

func (db *DB) addRelationsOf(ctx context.Context, at map[int64]*Message, ids []any, clipBytes int) error {
	in := " IN (" + marks(len(ids)) + ")"
	if db.Schema().Has("message_parts") {
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
	if db.Schema().Has("summary_messages") {
		err := Each(ctx, db, "read links", "SELECT message_id, summary_id FROM summary_messages WHERE message_id"+in, ids,
			func(scan RowScanner) error {
				var id Integer
				var sum Text
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
	if !db.Schema().Has("context_items") {
		return nil
	}
	convs := map[int64]bool{}
	for _, id := range ids {
		convs[at[id.(int64)].Conversation] = true
	}
	for conv := range convs {
		err := Each(ctx, db, "read context", "SELECT message_id FROM context_items WHERE conversation_id = ? AND message_id IS NOT NULL",
			[]any{conv}, func(scan RowScanner) error {
				var id Integer
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
