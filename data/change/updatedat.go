package change

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// TouchConversation returns the change that sets a conversation's updated_at to now, as hosts
// find the conversation that changed last.
func TouchConversation(ctx context.Context, db *data.DB, conv int64) (Change, error) {
	const query = "SELECT conversation_id, updated_at FROM conversations WHERE conversation_id = ?"
	r := data.Row{}
	err := data.Each(ctx, db, "read conversation", query, []any{conv}, func(scan data.RowScanner) error {
		var id, at any
		err := scan(&id, &at)
		r["conversation_id"], r["updated_at"] = id, at
		return err
	})
	if err == nil && len(r) == 0 {
		err = db.NotFound("conversation", conv)
	}
	return Update(db, "conversations", r, data.Row{"updated_at": db.FormatNow()}), err
}

// adoptUpdatedAt takes over updated_at where a host has set it since the plan: that doesn't
// make a plan stale.
func adoptUpdatedAt(ctx context.Context, t *tx, b Batch, _ *Outcome) (cs []Change, changed bool, err error) {
	for i, c := range b.Changes {
		was, known := c.Before[updatedAtColumn]
		if c.Table != "conversations" || !known || c.After == nil {
			continue
		}
		got, err := t.Row(ctx, c.Table, c.Before.Pick(c.Key), []string{updatedAtColumn})
		if err != nil {
			return nil, false, err
		}
		if got == nil || data.SameValue(got[updatedAtColumn], was) {
			continue
		}
		if !changed {
			cs, changed = slices.Clone(b.Changes), true
		}
		c.Before = c.Before.Pick(c.Before.Columns())
		c.Before[updatedAtColumn] = got[updatedAtColumn]
		cs[i] = c
	}
	return cs, changed, nil
}
