package diff

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ops/diff/filepair"
)

// Details are the rows of a conversation that differ.
type Details struct {
	Conversation int64 `json:"conversation_id"`
	// Rows are those of all tables but context_items, table by table.
	Rows []*filepair.Row `json:"rows"`
	// More are the rows that differ and aren't in Rows, by table.
	More []Table `json:"more,omitempty"`
	// Items are the items of the context that differ.
	Items     []ItemChange `json:"context_items"`
	MoreItems int          `json:"more_context_items,omitempty"`
	// BudgetBefore and BudgetAfter are what the host noted as the budget of tokens; 0 is unknown.
	BudgetBefore int64 `json:"budget_before,omitempty"`
	BudgetAfter  int64 `json:"budget_after,omitempty"`
}

// Details reads the rows of a conversation that differ, as many as the limits allow.
func (c *Comparison) Details(ctx context.Context, entry *Conversation, l filepair.Limits) (*Details, error) {
	d := &Details{Conversation: entry.ID, Rows: []*filepair.Row{}, Items: []ItemChange{}}
	for _, t := range c.tables {
		if err := c.addRows(ctx, d, t, entry, l); err != nil {
			return nil, err
		}
	}
	err := c.EachItem(ctx, entry, func(i ItemChange) error {
		d.addItem(i, l.Rows)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, s := range []struct {
		db *data.DB
		id *int64
		to *int64
	}{{c.before, entry.BeforeID, &d.BudgetBefore}, {c.after, entry.AfterID, &d.BudgetAfter}} {
		if s.id == nil {
			continue
		}
		if *s.to, err = lcm.Budget(ctx, s.db, *s.id); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// addItem adds an item of the context, to the run of those that moved alike where it goes on one.
func (d *Details) addItem(i ItemChange, limit int) {
	last := len(d.Items) - 1
	switch {
	case last >= 0 && d.MoreItems == 0 && d.Items[last].continues(i):
		d.Items[last].Run++
		d.Items[last].Tokens = lcm.AddTokens(d.Items[last].Tokens, i.Tokens)
	case limit > 0 && len(d.Items) == limit:
		d.MoreItems++
	default:
		i.Run = 1
		d.Items = append(d.Items, i)
	}
}

// addRows adds the rows of a table that differ, and counts those for which there is no room.
func (c *Comparison) addRows(ctx context.Context, d *Details, t filepair.Table, entry *Conversation, l filepair.Limits) error {
	var shown filepair.Counts
	full := false
	err := c.eachRow(ctx, t, entry, l, func(r *filepair.Row) error {
		n := shown.Changes(r.Change)
		*n++
		full = full || *n == int64(l.Rows)
		d.Rows = append(d.Rows, r)
		return nil
	})
	if err != nil || !full {
		return err
	}
	more := Table{Name: t.Name}
	err = c.pair.Count(ctx, t, entry.pair.Key(), func(_ filepair.Side, _ int64, n filepair.Counts) { more.Add(n) })
	more.Counts = filepair.Counts{Added: more.Added - shown.Added, Removed: more.Removed - shown.Removed, Changed: more.Changed - shown.Changed}
	if !more.IsZero() {
		d.More = append(d.More, more)
	}
	return err
}

// EachRow calls fn with every row of a conversation that differs but those of its context, which
// EachItem has. Nothing is kept: what differs may be larger than memory.
func (c *Comparison) EachRow(ctx context.Context, entry *Conversation, l filepair.Limits, fn func(*filepair.Row) error) error {
	for _, t := range c.tables {
		if err := c.eachRow(ctx, t, entry, l, fn); err != nil {
			return err
		}
	}
	return nil
}

// eachRow works as EachRow for one table. It reads nothing where the counts say that nothing differs.
func (c *Comparison) eachRow(ctx context.Context, t filepair.Table, entry *Conversation, l filepair.Limits, fn func(*filepair.Row) error) error {
	isRow := t.Name == "conversations"
	if t.OfFile() || t.Name == "context_items" || !isRow && entry.counts(t.Name).IsZero() || isRow && len(entry.Columns) == 0 && entry.Status == Changed {
		return nil
	}
	return c.pair.EachRow(ctx, t, entry.pair.Key(), l, fn)
}

// EachItem calls fn with every item of a conversation's context that differs.
func (c *Comparison) EachItem(ctx context.Context, entry *Conversation, fn func(ItemChange) error) error {
	if entry.items.IsZero() {
		return nil
	}
	before, after, err := c.contexts(ctx, entry)
	if err != nil {
		return err
	}
	alignItems(before, after, func(i ItemChange) {
		if err == nil {
			err = fn(i)
		}
	})
	return err
}
