package data

import (
	"context"
	"slices"
)

// renumberMessages gives the new messages of a batch other ids where their ids were taken
// since the plan. It reports whether it changed any.
func (t *tx) renumberMessages(ctx context.Context, b *Batch) (bool, error) {
	if b.FirstMessage == 0 {
		return false, nil
	}
	var next Integer
	if err := t.QueryRowContext(ctx, "SELECT "+t.Schema.counting(nextMessage)).Scan(&next); err != nil || int64(next) <= b.FirstMessage {
		return false, err
	}
	by := int64(next) - b.FirstMessage
	cs := slices.Clone(b.Changes)
	for i, c := range cs {
		if id, ok := c.After["message_id"].(int64); ok && id >= b.FirstMessage {
			cs[i].After = c.After.pick(c.After.Columns())
			cs[i].After["message_id"] = id + by
		}
	}
	b.Changes = cs
	return true, nil
}
