package data

import (
	"context"
	"slices"
)

// ContextRedo is one context before and after a redo.
type ContextRedo struct {
	Conversation  int64
	Before, After []ContextItem
}

// redoContexts places what comes into contexts: as it stood after the record was written
// where the undo left all the rest as it was before, and else beside what stood beside it.
func (t *tx) redoContexts(ctx context.Context, r *Redo, cs []Change) error {
	byConv, order, _ := splitContexts(cs)
	for _, conv := range order {
		now, err := t.contextItems(ctx, conv)
		if err != nil {
			return err
		}
		out := ContextRedo{Conversation: conv, Before: now}
		if out.After, _, err = t.revertedContext(ctx, newContextUndo(now, byConv[conv])); err != nil {
			return err
		}
		if err := t.fillItems(ctx, &out, r.Changes); err != nil {
			return err
		}
		r.Contexts = append(r.Contexts, out)
	}
	return nil
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
	for _, items := range [][]ContextItem{out.Before, out.After} {
		for i, it := range items {
			ref := refOf(it.Row())
			if rows[ref] == nil {
				table, key := "messages", Row{"message_id": it.Message}
				if it.IsSummary() {
					table, key = "summaries", Row{"summary_id": it.Summary}
				}
				r, err := t.Row(ctx, table, key, t.shown(table))
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
	return slices.DeleteFunc(shows, func(column string) bool { return !t.Schema.Has(table, column) })
}

// show takes over what a message or summary says of itself.
func (c *ContextItem) show(r Row) {
	c.Missing = len(r) == 0
	c.Type, c.Kind, c.Role = "message", CellText(r["kind"]), CellText(r["role"])
	if c.IsSummary() {
		c.Type = "summary"
	}
	c.Depth, c.Seq, c.Tokens = CellInteger(r["depth"]), CellInteger(r["seq"]), CellInteger(r["token_count"])
	c.Preview = Preview(CellText(r["content"]))
}
