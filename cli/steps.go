package cli

import (
	"context"
	"errors"

	"lcm-tui/data"
	"lcm-tui/ops"
)

// steps writes an operation step by step until a step finds nothing more to do.
// What was written stays when a later step fails.
func (c *call) steps(ctx context.Context, db *data.DB, s ops.Stepper) (result, error) {
	all := &outcomes{}
	for n := 0; ; n++ {
		op, ok := s.Step(n)
		if !ok {
			return all, nil
		}
		plan, err := op.Plan(ctx, db, c.progress())
		if errors.Is(err, ops.ErrNothing) && n > 0 {
			return all, nil
		}
		if err != nil {
			return all.stopped(err)
		}
		out, err := c.apply(ctx, db, plan, c.progress())
		var stale *data.StaleError
		if errors.As(err, &stale) {
			n-- // A host wrote while the model was asked: the step is planned again.
			if all.tries++; all.tries < mostTries {
				continue
			}
		}
		if err != nil {
			return all.stopped(err)
		}
		all.tries = 0
		plan.Notes = append(plan.Notes, ops.Outcome(out)...)
		all.Steps = append(all.Steps, &outcome{Plan: plan, Applied: true, Record: &out.Record})
	}
}

// outcomes are the steps of an operation that was written step by step.
type outcomes struct {
	Steps []*outcome `json:"steps"`
	// Stopped is why there are no more of them, unless all are written.
	Stopped string `json:"stopped,omitempty"`
	caveats
	tries int // Of the present step.
}

// stopped is the result of steps that ended early.
func (o *outcomes) stopped(err error) (result, error) {
	o.Stopped = whyStopped(err)
	return o, err
}

func (o *outcomes) text(p *page) {
	for _, s := range o.Steps {
		s.text(p)
		p.write("\n")
	}
}
