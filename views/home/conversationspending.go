package home

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/views"
)

type pendingStatesMsg map[int64]pending.State

// loadPending reads how far the host is with what it prepares in the background. It comes after
// the rows, which don't wait for it.
func (c *Conversations) loadPending() tea.Cmd {
	db := c.env.DB
	if !lcm.HasPendingTables(db.Schema()) {
		return nil
	}
	return c.env.Jobs.Quiet(c, "pending", views.Read(func(ctx context.Context) (pendingStatesMsg, error) {
		states, err := pending.ReadStates(ctx, db)
		return states, err
	}))
}

func (c *Conversations) receivePending(m pendingStatesMsg) {
	c.pending = m
	for _, r := range c.rows {
		r.pending = m[r.ID]
	}
	c.refilter()
}

// pendingRank orders states: what needs attention first.
func pendingRank(state pending.State) int {
	return slices.Index([]pending.State{pending.NoState, pending.Ignored, pending.Prepared, pending.Preparing, pending.Waiting, pending.Stuck}, state)
}
