package data

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"lcm-tui/internal/sorting"
)

// ContextRedo is one context before and after a redo.
type ContextRedo struct {
	Conversation int64
	Before       []ContextItem
	After        Layout
}

// redoContexts places what comes into contexts: as it stood after the record was written
// where the undo left all the rest as it was before, and else by the rules of LayOut.
func (t *tx) redoContexts(ctx context.Context, r *Redo, cs []Change, force bool) error {
	byConv := map[int64][]Change{}
	var order []int64
	for _, c := range cs {
		conv := asInteger(c.row()["conversation_id"])
		if byConv[conv] == nil {
			order = append(order, conv)
		}
		byConv[conv] = append(byConv[conv], c)
	}
	for _, conv := range order {
		out, err := t.redoContext(ctx, conv, byConv[conv], r.Record.UndoneAt.Time, force)
		if err != nil {
			return err
		}
		if err := t.fillItems(ctx, &out, r.Changes); err != nil {
			return err
		}
		r.Contexts = append(r.Contexts, out)
	}
	return nil
}

func (t *tx) redoContext(ctx context.Context, conv int64, cs []Change, since time.Time, force bool) (out ContextRedo, err error) {
	out.Conversation = conv
	now, err := t.itemsAfter(ctx, conv, int64(math.MinInt64))
	if err != nil {
		return out, err
	}
	slices.Reverse(now)
	for _, row := range now {
		out.Before = append(out.Before, itemOf(row, true))
	}
	u := newContextUndo(now, cs)
	u.since = since
	p, err := t.db.presence(ctx, t, t.schema, conv)
	if err != nil {
		return out, err
	}
	if u.exact() == nil && (force || p.Away() || !u.moves()) {
		out.After = u.asRecorded(out.Before)
		return out, nil
	}
	out.After, err = t.relayContext(ctx, u)
	return out, err
}

// asRecorded is the context with the changes as they stand in the record.
func (u *contextUndo) asRecorded(before []ContextItem) Layout {
	at := map[int64]ContextItem{}
	for _, it := range before {
		at[it.Ordinal] = it
	}
	for _, c := range u.changes {
		if c.After == nil {
			delete(at, ordinalOf(c.Before))
			continue
		}
		was, stood := at[ordinalOf(c.After)]
		it := itemOf(c.After, stood && refOf(was.Row()) == refOf(c.After))
		at[it.Ordinal] = it
	}
	var items []ContextItem
	for _, it := range at {
		items = append(items, it)
	}
	sorting.Stable(items, func(a, b *ContextItem) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
	l := LayOut(before, items) // For what it means to a host.
	return Layout{Items: items, Moves: u.moves(), Inserts: l.Inserts, Precedes: l.Precedes}
}

// fillItems adds to items what they show of the rows that they stand for; some of those
// come with the redo.
func (t *tx) fillItems(ctx context.Context, out *ContextRedo, cs []Change) error {
	rows := map[string]Row{}
	for _, c := range cs {
		if c.After != nil && c.Before == nil && (c.Table == "messages" || c.Table == "summaries") {
			rows[refOf(c.After.pick([]string{namedBy[c.Table]}))] = c.After
		}
	}
	for _, items := range [][]ContextItem{out.Before, out.After.Items} {
		for i, it := range items {
			ref := refOf(it.Row())
			if rows[ref] == nil {
				table, key := "messages", Row{"message_id": it.Message}
				if it.IsSummary() {
					table, key = "summaries", Row{"summary_id": it.Summary}
				}
				r, err := t.row(ctx, table, key, t.shown(table))
				if err != nil {
					return err
				}
				if r == nil {
					r = Row{}
				}
				rows[ref] = r
			}
			items[i].show(rows[ref])
		}
	}
	return nil
}

// shown are the columns of a message or summary that an item shows something of.
func (t *tx) shown(table string) []string {
	shows := []string{"kind", "depth", "role", "seq", "token_count", "content"}
	return slices.DeleteFunc(shows, func(column string) bool { return !t.schema.Has(table, column) })
}

// show takes over what a message or summary says of itself.
func (c *ContextItem) show(r Row) {
	c.Missing = len(r) == 0
	c.Type, c.Kind, c.Role = "message", asText(r["kind"]), asText(r["role"])
	if c.IsSummary() {
		c.Type = "summary"
	}
	c.Depth, c.Seq, c.Tokens = asInteger(r["depth"]), asInteger(r["seq"]), asInteger(r["token_count"])
	c.Preview = Preview(asText(r["content"]))
}
