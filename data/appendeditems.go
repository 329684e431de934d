package data

import (
	"context"
	"slices"
)

// moveAppended finds the items that a host has appended to the contexts of a batch since it
// was planned, and moves them up where the batch needs their ordinals. It returns these moves
// and how many items were appended.
func (t *tx) moveAppended(ctx context.Context, b *Batch) (more []Change, appended int, err error) {
	for _, g := range b.Guards {
		last, some := g.UpTo["ordinal"]
		if g.Table != "context_items" || !some {
			continue
		}
		rows, err := t.itemsAfter(ctx, g.Where["conversation_id"], last)
		if err != nil {
			return nil, 0, err
		}
		appended += len(rows)
		conv := asInteger(g.Where["conversation_id"])
		moved := b.moveBehind(conv, asInteger(last), rows)
		if len(moved) > 0 && !slices.Contains(b.Away, conv) {
			b.Away = append(slices.Clone(b.Away), conv)
			if err := t.checkHostsAway(ctx, *b); err != nil {
				return nil, 0, err
			}
		}
		more = append(more, moved...)
	}
	return more, appended, nil
}

// itemsAfter returns the rows of a context with a higher ordinal than last, the highest
// ordinal first.
func (t *tx) itemsAfter(ctx context.Context, conv, last any) (out []Row, err error) {
	columns := t.schema.Columns("context_items")
	query := "SELECT " + quoteAll(columns) + " FROM context_items WHERE conversation_id = ? AND ordinal > ? ORDER BY ordinal DESC"
	err = each(ctx, t, query, []any{conv, last}, func(scan RowScanner) error {
		r, err := scanRow(scan, columns)
		out = append(out, r)
		return err
	})
	return out, err
}

// moveBehind moves appended rows of a context up where the batch puts items there.
func (b *Batch) moveBehind(conv, last int64, rows []Row) (out []Change) {
	if len(rows) == 0 {
		return nil
	}
	highest := last
	for _, c := range b.Changes {
		if c.Table == "context_items" && c.After != nil && asInteger(c.After["conversation_id"]) == conv {
			highest = max(highest, asInteger(c.After["ordinal"]))
		}
	}
	by := highest + 1 - asInteger(rows[len(rows)-1]["ordinal"])
	if highest == last || by <= 0 {
		return nil
	}
	for _, r := range rows {
		after := r.pick(r.Columns())
		after["ordinal"] = asInteger(r["ordinal"]) + by
		out = append(out, Change{Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: r, After: after})
	}
	return out
}

// renumberMessages gives the new messages of a batch other ids where their ids were taken
// since the plan. It reports whether it changed any.
func (t *tx) renumberMessages(ctx context.Context, b *Batch) (bool, error) {
	if b.FirstMessage == 0 {
		return false, nil
	}
	var next integer
	if err := t.QueryRowContext(ctx, "SELECT "+t.schema.counting(nextMessage)).Scan(&next); err != nil || int64(next) <= b.FirstMessage {
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
