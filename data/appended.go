package data

import (
	"context"
	"fmt"
	"slices"
)

// makeRoom finds what a host has appended to the contexts of a batch since it was
// planned, and gives it other places where the batch needs those. It returns the changes
// for that, and how many items were appended.
func (t *tx) makeRoom(ctx context.Context, b Batch) (more []Change, appended int, err error) {
	for _, g := range b.Guards {
		last, some := g.UpTo["ordinal"]
		if g.Table != "context_items" || !some {
			continue
		}
		rows, err := t.itemsBehind(ctx, g.Where["conversation_id"], last)
		if err != nil {
			return nil, 0, err
		}
		appended += len(rows)
		moved, err := b.moveBehind(asInteger(g.Where["conversation_id"]), asInteger(last), rows)
		if err != nil {
			return nil, 0, err
		}
		more = append(more, moved...)
	}
	return more, appended, nil
}

// itemsBehind are the rows of a context behind an ordinal, the last one first.
func (t *tx) itemsBehind(ctx context.Context, conv, last any) (out []Row, err error) {
	columns := t.schema.Columns("context_items")
	query := "SELECT " + quoteAll(columns) + " FROM context_items WHERE conversation_id = ? AND ordinal > ? ORDER BY ordinal DESC"
	err = each(ctx, t, query, []any{conv, last}, func(scan scanner) error {
		r, err := scanRow(scan, columns)
		out = append(out, r)
		return err
	})
	return out, err
}

// moveBehind moves appended rows of a context up where the batch puts items there.
func (b Batch) moveBehind(conv, last int64, rows []Row) (out []Change, err error) {
	if len(rows) == 0 {
		return nil, nil
	}
	highest := last
	for _, c := range b.Changes {
		if c.Table == "context_items" && c.After != nil && asInteger(c.After["conversation_id"]) == conv {
			highest = max(highest, asInteger(c.After["ordinal"]))
		}
	}
	by := highest + 1 - asInteger(rows[len(rows)-1]["ordinal"])
	if highest == last || by <= 0 {
		return nil, nil
	}
	if !slices.Contains(b.Away, conv) {
		return nil, &StaleError{What: fmt.Sprintf("the context of conversation %d", conv), Why: "has new items where the plan puts others"}
	}
	for _, r := range rows {
		after := r.pick(r.Columns())
		after["ordinal"] = asInteger(r["ordinal"]) + by
		out = append(out, Change{Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: r, After: after})
	}
	return out, nil
}
