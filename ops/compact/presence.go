package compact

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/compact"
	"lcm-tui/ops"
)

// forPresence is the operation as it may run now. While a host may be at work it condenses
// no summary that was placed less than ten minutes ago: the host may have chosen the
// messages below it, and would delete what is at their ordinals.
func (o *Op) forPresence(ctx context.Context, db *data.DB) (*Op, data.Presence, error) {
	host, err := db.Presence(ctx, o.Conversation)
	if err != nil || host.Away() {
		return o, host, err
	}
	next := *o
	next.Request.Settled = true
	return &next, host, nil
}

// noteHost notes which summaries were left for later, and requires the host to be away where
// a summary that was placed just now is replaced.
func (o *Op) noteHost(p *ops.Plan, out compact.Outcome, host data.Presence, now time.Time) {
	switch {
	case out.Unsettled:
		p.Note(fmt.Sprintf("the host may be at work (%s), so summaries that are less than ten minutes in the context are not condensed yet", host))
	case !o.Request.Settled && replacesUnsettled(out, now) && !slices.Contains(p.Away, o.Conversation):
		p.Away = append(p.Away, o.Conversation)
	}
}

// replacesUnsettled reports whether a summary was condensed that was placed just now.
func replacesUnsettled(out compact.Outcome, now time.Time) bool {
	settled := map[string]bool{}
	for _, it := range out.Before {
		if it.IsSummary() {
			settled[it.Summary] = it.IsSettled(now)
		}
	}
	return slices.ContainsFunc(out.New, func(n compact.NewSummary) bool {
		return slices.ContainsFunc(n.Sources, func(id string) bool { return !settled[id] })
	})
}
