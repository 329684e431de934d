package change

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// ContextRedo is one context before and after a redo.
type ContextRedo struct {
	Conversation  int64
	Before, After []lcm.ContextItem
}

// redoContexts places what comes into contexts: as it stood after the record was written
// where the undo left all the rest as it was before, and else beside what stood beside it.
func redoContexts(ctx context.Context, t *tx, r *Redo, cs []Change) error {
	byConv, order, _ := splitContexts(cs)
	for _, conv := range order {
		now, err := contextItems(ctx, t, conv)
		if err != nil {
			return err
		}
		out := ContextRedo{Conversation: conv, Before: now}
		if out.After, _, err = revertedContext(ctx, t, newContextUndo(now, byConv[conv])); err != nil {
			return err
		}
		if err := fillItems(ctx, t, &out, r.Changes); err != nil {
			return err
		}
		r.Contexts = append(r.Contexts, out)
	}
	return nil
}

// fillItems adds to items what they show of the rows that they stand for; some of those
// come with the redo.
func fillItems(ctx context.Context, t *tx, out *ContextRedo, cs []Change) error {
	rows := map[string]data.Row{}
	for _, c := range cs {
		if c.After != nil && c.Before == nil && (c.Table == "messages" || c.Table == "summaries") {
			rows[refOf(c.After.Pick([]string{namedBy[c.Table]}))] = c.After
		}
	}
	for _, items := range [][]lcm.ContextItem{out.Before, out.After} {
		for i, it := range items {
			ref := refOf(it.Row())
			if rows[ref] == nil {
				table, key := "messages", data.Row{"message_id": it.Message}
				if it.IsSummary() {
					table, key = "summaries", data.Row{"summary_id": it.Summary}
				}
				r, err := t.Row(ctx, table, key, shown(t, table))
				if err != nil {
					return err
				}
				if r == nil {
					r = data.Row{}
				}
				rows[ref] = r
			}
			describeItem(&items[i], rows[ref])
		}
	}
	return nil
}

// shown returns the columns of a message or summary that an item shows something of.
func shown(t *tx, table string) []string {
	shows := []string{"kind", "depth", "role", "seq", "token_count", "content"}
	return slices.DeleteFunc(shows, func(column string) bool { return !t.Schema.Has(table, column) })
}

// show takes over what a message or summary says of itself.
func describeItem(c *lcm.ContextItem, r data.Row) {
	c.Missing = len(r) == 0
	c.Type, c.Kind, c.Role = "message", data.CellText(r["kind"]), data.CellText(r["role"])
	if c.IsSummary() {
		c.Type = "summary"
	}
	c.Depth, c.Seq, c.Tokens = data.CellInteger(r["depth"]), data.CellInteger(r["seq"]), data.CellInteger(r["token_count"])
	c.Preview = data.Preview(data.CellText(r["content"]))
}
