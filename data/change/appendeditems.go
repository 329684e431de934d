package change

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// renumberMessages gives the new messages of a batch other ids where their ids were taken
// since the plan. It reports whether it changed any.
func renumberMessages(ctx context.Context, t *tx, b *Batch) (bool, error) {
	if b.FirstMessage == 0 {
		return false, nil
	}
	var next data.Integer
	if err := t.QueryRowContext(ctx, "SELECT "+lcm.Counting(t.Schema, lcm.NextMessage)).Scan(&next); err != nil || int64(next) <= b.FirstMessage {
		return false, err
	}
	by := int64(next) - b.FirstMessage
	cs := slices.Clone(b.Changes)
	for i, c := range cs {
		if id, ok := c.After["message_id"].(int64); ok && id >= b.FirstMessage {
			cs[i].After = c.After.Pick(c.After.Columns())
			cs[i].After["message_id"] = id + by
		}
	}
	b.Changes = cs
	return true, nil
}
