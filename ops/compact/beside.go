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

// beside is the operation as it may be written now. Beside a host that may be at work it
// condenses nothing that was placed just now, by itself or by a write before: the host
// may have chosen the messages below it, and would delete what stands at their ordinals.
func (o *Op) beside(ctx context.Context, db *data.DB) (*Op, data.Presence, error) {
	host, err := db.Presence(ctx, o.Conversation)
	if err != nil || host.Away() {
		return o, host, err
	}
	next := *o
	next.Request.Settled = true
	return &next, host, nil
}

// wait says what was left for later, and has the host stay away where a summary that was
// placed just now is replaced.
func (o *Op) wait(p *ops.Plan, out compact.Outcome, host data.Presence, now time.Time) {
	switch {
	case out.Unsettled:
		p.Note(fmt.Sprintf("the host may be at work (%s), so summaries that were placed less than ten minutes ago are not condensed yet", host))
	case !o.Request.Settled && replacesUnsettled(out, now) && !slices.Contains(p.Away, o.Conversation):
		p.Away = append(p.Away, o.Conversation)
	}
}

// replacesUnsettled is whether a summary was condensed that was placed just now.
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
