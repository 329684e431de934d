package filepair

import (
	"context"

	"lcm-tui/data"
)

// Counts is how many rows of a table differ.
type Counts struct {
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
	Changed int64 `json:"changed"`
	// These are among the changed ones.
	Redacted  int64 `json:"redacted,omitempty"`
	Forgotten int64 `json:"forgotten,omitempty"`
	Squeezed  int64 `json:"squeezed,omitempty"`
	Rewritten int64 `json:"rewritten,omitempty"`
}

// IsZero reports whether nothing differs.
func (c Counts) IsZero() bool { return c == Counts{} }

// Add adds other counts.
func (c *Counts) Add(o Counts) {
	c.Added, c.Removed, c.Changed = c.Added+o.Added, c.Removed+o.Removed, c.Changed+o.Changed
	for _, m := range Marks {
		*c.of(m) += o.Of(m)
	}
}

// Of returns how many rows have a mark.
func (c Counts) Of(m Mark) int64 { return *c.of(m) }

func (c *Counts) of(m Mark) *int64 {
	switch m {
	case Forgotten:
		return &c.Forgotten
	case Redacted:
		return &c.Redacted
	case Squeezed:
		return &c.Squeezed
	}
	return &c.Rewritten
}

// Changes returns the number of rows with a change.
func (c *Counts) Changes(of Change) *int64 {
	switch of {
	case Added:
		return &c.Added
	case Removed:
		return &c.Removed
	}
	return &c.Changed
}

// Count counts the rows of a table that differ, of one conversation or of all for the zero key.
// It calls fn for the conversations that have some, by their id on a side, maybe once for each
// side; 0 is rows of no conversation.
func (p *Pair) Count(ctx context.Context, t Table, of ConversationKey, fn func(s Side, conversation int64, c Counts)) error {
	if err := p.match(ctx, of); err != nil {
		return err
	}
	if of != (ConversationKey{}) || t.OfFile() {
		return p.tolerate(p.count(ctx, t, of, fn), t.Name, of)
	}
	type count struct {
		s Side
		n int64
		c Counts
	}
	var all []count
	err := p.count(ctx, t, of, func(s Side, n int64, c Counts) { all = append(all, count{s, n, c}) })
	if isDamage(err) { // What one conversation has lost must not hide the others.
		for _, c := range p.conversations {
			if err := p.Count(ctx, t, c.Key(), fn); err != nil {
				return err
			}
		}
		return nil
	}
	for _, c := range all {
		fn(c.s, c.n, c.c)
	}
	return err
}

// count works as Count where nothing is damaged.
func (p *Pair) count(ctx context.Context, t Table, of ConversationKey, fn func(Side, int64, Counts)) error {
	where, args := t.where(Before, of)
	missing := quoted("a", t.Key[0]) + " IS NULL"
	query := "SELECT " + t.conversationOf(Before) + ", sum(" + missing + "), sum(NOT (" + missing + "))"
	for i := range Marks {
		query += ", sum(coalesce((CASE WHEN NOT (" + missing + ") THEN " + t.markExpression() + " END) = " + string(rune('0'+i)) + ", 0))"
	}
	query += " FROM " + t.from(Before) + " LEFT JOIN " + t.from(After) + " ON " + p.join(t, Before) +
		" WHERE " + where + " AND (" + missing + " OR " + p.differs(t) + ") GROUP BY 1"
	err := p.each(ctx, "compare "+t.Name, query, args, func(scan data.RowScanner) error {
		var conv data.Integer
		var c Counts
		places := []any{&conv, &c.Removed, &c.Changed}
		for _, m := range Marks {
			places = append(places, c.of(m))
		}
		err := scan(places...)
		fn(Before, int64(conv), c)
		return err
	})
	if err != nil {
		return err
	}
	where, args = t.where(After, of)
	query = "SELECT " + t.conversationOf(After) + ", count(*) FROM " + t.from(After) + " WHERE " + where +
		" AND NOT EXISTS (SELECT 1 FROM " + t.from(Before) + " WHERE " + p.join(t, After) + ") GROUP BY 1"
	return p.each(ctx, "compare "+t.Name, query, args, func(scan data.RowScanner) error {
		var conv data.Integer
		var c Counts
		err := scan(&conv, &c.Added)
		fn(After, int64(conv), c)
		return err
	})
}
