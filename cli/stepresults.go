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
func (c *Invocation) eachStep(ctx context.Context, db *data.DB, step func(n int) (ops.Op, bool), wrote func(ops.Plan, change.Outcome)) error {
	for n, tries := 0, 1; ; n++ {
		op, ok := step(n)
		if !ok {
			return nil
		}
		plan, out, err := writeStep(ctx, c, db, op)
		if errors.Is(err, ops.ErrNothing) && n > 0 {
			return nil
		}
		var stale *data.StaleError
		if errors.As(err, &stale) && tries < MaxTries {
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

// writeStep plans a step and writes it, with the locks of its conversations from the one to the other.
func writeStep(ctx context.Context, c *Invocation, db *data.DB, op ops.Op) (p ops.Plan, out change.Outcome, err error) {
	ctx, release := ops.KeepLocks(ctx)
	defer release()
	if p, err = op.Plan(ctx, db, c.Progress()); err != nil {
		return p, out, UnknownConversation(ctx, db, err)
	}
	out, err = ops.ApplyPlan(ctx, db, p, c.Progress())
	return p, out, err
}

// applySteps writes an operation step by step. It has the lock of the conversation until the last.
func (c *Invocation) applySteps(ctx context.Context, db *data.DB, s ops.Stepper) (Result, error) {
	ctx, release := ops.KeepLocks(ctx)
	defer release()
	all := &stepResults{}
	err := c.eachStep(ctx, db, s.Step, func(p ops.Plan, out change.Outcome) {
		all.Steps = append(all.Steps, &PlanResult{Plan: p, Applied: true, Record: &out.Record})
	})
	all.Stopped = StopReason(err)
	return all, err
}

// stepResults are the steps of an operation that was written step by step.
type stepResults struct {
	Steps []*PlanResult `json:"steps"`
	// Stopped is why there are no more of them, unless all are written.
	Stopped string `json:"stopped,omitempty"`
	WarningList
}

func (o *stepResults) Print(p *Printer) {
	for _, s := range o.Steps {
		s.Print(p)
		p.Write("\n")
	}
}

// applyBatches writes an operation in parts, and shows them as one.
func (c *Invocation) applyBatches(ctx context.Context, db *data.DB, b ops.Batcher) (Result, error) {
	all := &PlanResult{ShowWhole: c.WholeTexts, ShowRows: c.Rows}
	batch := func(n int) (ops.Op, bool) { return b.Batch(n), true }
	err := c.eachStep(ctx, db, batch, func(p ops.Plan, out change.Outcome) {
		if all.Applied {
			ops.Follow(&all.Plan, p)
		} else {
			all.Plan = p
		}
		all.Applied, all.Record, all.Records = true, &out.Record, append(all.Records, out.Record)
	})
	all.Stopped = StopReason(err)
	return all, err
}
