package home

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
	"lcm-tui/views"
)

func (r *conversationRow) tokens() int64 {
	if r.counts == nil {
		return -1
	}
	return r.counts.ContextTokens
}

func (r *conversationRow) messages() int64 {
	if r.counts == nil {
		return -1
	}
	return r.counts.Messages
}

type countsMsg map[int64]*views.Counts

// Rows are counted a few at a time, so that the numbers of those on screen
// appear at once and the rest doesn't keep them waiting.
const (
	countBatch = 16
	firstRows  = 60 // Before anything was drawn.
)

// count counts what is on screen, then the rest, in the background.
func (c *Conversations) count() tea.Cmd {
	if c.hidden || c.countFailed == c.loads || c.env.Jobs.Running(c, "count") {
		return nil
	}
	ids := c.uncounted()
	if len(ids) == 0 {
		return nil
	}
	return count(c.env, c, ids)
}

// count counts conversations in the background, which ends in a countsMsg.
func count(e *views.Env, owner ui.Screen, ids []int64) tea.Cmd {
	db := e.DB
	return e.Jobs.Quiet(owner, "count", views.Read(func(ctx context.Context) (countsMsg, error) {
		out := countsMsg{}
		for _, id := range ids {
			n, err := views.CountOne(ctx, db, id)
			if err != nil {
				return nil, err
			}
			out[id] = n
		}
		return out, nil
	}))
}

// uncounted returns the next rows to count: those on screen whose numbers are from
// before the last load, then those that have none. Others wait until they come
// on screen: a host that writes all the time must not have all counted again.
func (c *Conversations) uncounted() (ids []int64) {
	first := c.List.Visible()
	if len(first) == 0 {
		items := c.List.Items()
		first = items[:min(len(items), firstRows)]
	}
	ids = firstIDs(first, func(r *conversationRow) bool { return r.age != c.loads })
	if len(ids) == 0 {
		ids = firstIDs(c.rows, func(r *conversationRow) bool { return r.counts == nil })
	}
	return ids
}

func firstIDs(rows []*conversationRow, want func(*conversationRow) bool) (ids []int64) {
	for _, r := range rows {
		if want(r) {
			ids = append(ids, r.ID)
		}
		if len(ids) == countBatch {
			break
		}
	}
	return ids
}

func (c *Conversations) receiveCounts(m countsMsg) {
	named := false
	for _, r := range c.rows {
		if n := m[r.ID]; n != nil {
			if n.Opening != "" {
				c.env.RememberOpening(r.ID, n.Opening)
				named = true
			}
			r.counts, r.age = n, c.loads
		}
	}
	if named { // The filter searches names.
		c.refilter()
	}
}
