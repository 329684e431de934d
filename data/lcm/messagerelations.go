package lcm

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// addRelations adds the parts, the leaves and the place in the context to messages, with one
// query each.
func addRelations(ctx context.Context, db data.Querier, ms []Message, clipBytes int) error {
	if len(ms) == 0 {
		return nil
	}
	at := make(map[int64]*Message, len(ms))
	ids := make([]any, 0, len(ms))
	for i := range ms {
		at[ms[i].ID] = &ms[i]
		ids = append(ids, ms[i].ID)
	}
	for chunk := range slices.Chunk(ids, data.MaxArgs) {
		if err := addRelationsOf(ctx, db, at, chunk, clipBytes); err != nil {
			return err
		}
	}
	return nil
}

func addRelationsOf(ctx context.Context, db data.Querier, at map[int64]*Message, ids []any, clipBytes int) error {
	in := " IN (" + data.Marks(len(ids)) + ")"
	if db.Schema().Has("message_parts") {
		ps, err := parts(ctx, db, "message_id"+in, ids, clipBytes)
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
		err := data.Each(ctx, db, "read links", "SELECT message_id, summary_id FROM summary_messages WHERE message_id"+in+" ORDER BY message_id, summary_id", ids,
			func(scan data.RowScanner) error {
				var id data.Integer
				var sum data.Text
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
	return markInContext(ctx, db, at, ids)
}

// markInContext asks by conversation, since only that is indexed.
func markInContext(ctx context.Context, db data.Querier, at map[int64]*Message, ids []any) error {
	if !db.Schema().Has("context_items") {
		return nil
	}
	convs := map[int64]bool{}
	for _, id := range ids {
		convs[at[id.(int64)].Conversation] = true
	}
	for conv := range convs {
		err := data.Each(ctx, db, "read context", "SELECT message_id FROM context_items WHERE conversation_id = ? AND message_id IS NOT NULL",
			[]any{conv}, func(scan data.RowScanner) error {
				var id data.Integer
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
