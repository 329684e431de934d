package transplant

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/ops"
)

// Op carries what Source remembers into Target: the summaries in its context with
// all below them, or the chosen ones.
type Op struct {
	Source, Target int64
	// From is the database that Source is in; empty is that of Target.
	From string
	// Summaries are the branches to carry; empty takes those in the context.
	Summaries []string
	// Messages carries the messages in the source's context too, that no summary
	// covers yet.
	Messages bool
	// Budget is the token budget of the target's context to warn about; 0 takes the
	// one that the host noted, or the default.
	Budget int64
	// Files is the folder of the target's large files, and FromFiles that of the
	// source's; empty is lcm-files beside the database.
	Files, FromFiles string
	// Force puts items into the target's context also while its host may be at work.
	Force bool
}

var _ ops.Op = (*Op)(nil)

// Name implements ops.Op.
func (*Op) Name() string { return "transplant" }

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	t, err := o.begin(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	defer t.end()
	steps := []struct {
		name string
		do   func(context.Context) error
	}{
		{"choose branches", t.choose},
		{"look for duplicates", t.compare},
		{"read messages", t.read},
		{"find files", t.findFiles},
		{"number messages", t.number},
		{"write summaries", t.carrySummaries},
		{"write messages", t.carryMessages},
		{"place them", t.place},
		{"finish", t.finish},
	}
	for i, s := range steps {
		report(i, len(steps), "transplant: "+s.name)
		if err := ctx.Err(); err != nil {
			return ops.Plan{}, err
		}
		if err := s.do(ctx); err != nil {
			return ops.Plan{}, err
		}
	}
	t.plan.Title = t.title()
	return t.plan, nil
}

func (t *transfer) title() string {
	from := fmt.Sprintf("conversation %d", t.source.ID)
	if t.from != t.to {
		from += " of " + t.from.Path()
	}
	what := ops.Count(len(t.nodes), "summary", "summaries")
	if n := len(t.messages); n > 0 {
		what += " and " + ops.Count(n, "message", "messages")
	}
	return fmt.Sprintf("transplant %s of %s into conversation %d", what, from, t.target.ID)
}
