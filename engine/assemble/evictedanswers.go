package assemble

import (
	"context"
	"slices"

	"lcm-tui/data/lcm"
)

// evicted adds to the answers those that stand in items which were not selected, with a
// place before all.
func (c *contents) evicted(ctx context.Context, calls []string, last map[string]int) error {
	if len(calls) == 0 {
		return nil
	}
	wanted := make(map[string]bool, len(calls))
	for _, call := range calls {
		wanted[call] = true
	}
	note := func(m Message) {
		if m.Role == RoleToolResult && wanted[m.call] {
			if _, known := last[m.call]; !known {
				last[m.call] = -1
			}
		}
	}
	for i := c.read; i < c.tail; i++ {
		note(c.items[i].message)
	}
	at, err := lcm.OrdinalsNamingCalls(ctx, c.db, c.conv, calls)
	if err != nil {
		return err
	}
	for i := range c.items[:c.read] {
		p := c.items[i].ContextPlace
		if !c.items[i].isMessage() || !slices.Contains(at, p.Ordinal) {
			continue
		}
		q, err := lcm.ReadContextSequence(ctx, c.db, c.conv, []lcm.ContextPlace{p})
		if err != nil {
			return err
		}
		if t := q.Messages[p.Message]; t != nil {
			parts := c.partsOf(t)
			note(rebuild(p.Role, t.Content.Text, parts, false))
		}
	}
	return nil
}
