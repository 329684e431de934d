package assemble

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// focus puts the active focus brief, if there is one, in the place of the summaries
// that it covers: at the first of them.
func (c *contents) focus(ctx context.Context) error {
	briefs, err := lcm.FocusBriefs(ctx, c.db, c.conv)
	if err != nil {
		return err
	}
	for i := range briefs {
		if briefs[i].Status == "active" {
			return c.putBrief(ctx, &briefs[i])
		}
	}
	return nil
}

func (c *contents) putBrief(ctx context.Context, b *lcm.FocusBrief) error {
	seqs, err := lcm.NewestSeqs(ctx, c.db, c.conv)
	if err != nil {
		return err
	}
	sums, err := lcm.Summaries(ctx, c.db, c.conv, 0)
	if err != nil {
		return err
	}
	latest := make(map[string]data.Time, len(sums))
	for _, s := range sums {
		latest[s.ID] = s.LatestAt
	}
	rest := c.items[:0]
	for _, it := range c.items {
		if it.isMessage() || !covers(b, seqs[it.Summary], latest[it.Summary]) {
			rest = append(rest, it)
			continue
		}
		if c.pinned < 0 {
			c.pinned = len(rest)
			rest = append(rest, c.briefItem(it, b))
		}
	}
	c.items = rest
	return nil
}

// briefItem returns the brief in the place of an item.
func (c *contents) briefItem(at item, b *lcm.FocusBrief) item {
	xml := briefText(*b, c.o.Location)
	at.brief, at.loaded = b, true
	at.message, at.tokens = textMessage(xml), count(xml)
	c.warnings.brief(b)
	return at
}

// covers reports whether a brief knows all that a summary was made of: up to its
// newest message or, where either side doesn't name one, its latest time.
func covers(b *lcm.FocusBrief, seq int64, latest data.Time) bool {
	if b.CoveredSeq > 0 && seq != 0 {
		return seq <= b.CoveredSeq
	}
	return b.CoveredAt.Valid() && latest.Valid() && !latest.After(b.CoveredAt.Time)
}
