package cli

import (
	"context"
	"errors"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops"
)

// eachStep writes steps until one finds nothing more to do, and tells wrote of each.
// What was written stays when a later step fails.
func (c *invocation) eachStep(ctx context.Context, db *data.DB, step func(n int) (ops.Op, bool), wrote func(ops.Plan, change.Outcome)) error {
	for n, tries := 0, 1; ; n++ {
		op, ok := step(n)
		if !ok {
			return nil
		}
		plan, err := op.Plan(ctx, db, c.progress())
		if errors.Is(err, ops.ErrNothing) && n > 0 {
			return nil
		}
		if err != nil {
			return unknownConversation(ctx, db, err)
		}
		out, err := c.apply(ctx, db, plan, c.progress())
		var stale *data.StaleError
		if errors.As(err, &stale) && tries < maxTries {
			n, tries = n-1, tries+1 // A host wrote while the model was asked: the step is planned again.
			continue
		}
		if err != nil {
			return err
		}
		tries = 1
		plan.Notes = append(plan.Notes, ops.Outcome(out)...)
		wrote(plan, out)
		if plan.Partial != nil {
			return plan.Partial
		}
	}
}

// applySteps writes an operation step by step.
func (c *invocation) applySteps(ctx context.Context, db *data.DB, s ops.Stepper) (result, error) {
	all := &stepResults{}
	err := c.eachStep(ctx, db, s.Step, func(p ops.Plan, out change.Outcome) {
		all.Steps = append(all.Steps, &planResult{Plan: p, Applied: true, Record: &out.Record})
	})
	all.Stopped = stopReason(err)
	return all, err
}

// stepResults are the steps of an operation that was written step by step.
type stepResults struct {
	Steps []*planResult `json:"steps"`
	// Stopped is why there are no more of them, unless all are written.
	Stopped string `json:"stopped,omitempty"`
	warningList
}

func (o *stepResults) Print(p *printer) {
	for _, s := range o.Steps {
		s.Print(p)
		p.write("\n")
	}
}

// applyBatches writes an operation in parts, and shows them as one.
func (c *invocation) applyBatches(ctx context.Context, db *data.DB, b ops.Batcher) (result, error) {
	all := &planResult{ShowWhole: c.wholeTexts, ShowRows: c.rows}
	batch := func(n int) (ops.Op, bool) { return b.Batch(n), true }
	err := c.eachStep(ctx, db, batch, func(p ops.Plan, out change.Outcome) {
		if all.Applied {
			ops.Follow(&all.Plan, p)
		} else {
			all.Plan = p
		}
		all.Applied, all.Record, all.Records = true, &out.Record, append(all.Records, out.Record)
	})
	all.Stopped = stopReason(err)
	return all, err
}
