package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
	"lcm-tui/ui"
)

// PlanResult is a plan, and what became of it.
type PlanResult struct {
	ops.Plan
	Applied bool   `json:"applied"`
	Record  *int64 `json:"record"` // The last one.
	// Records are those of a plan that was written in parts, and Stopped is why not all
	// of them were.
	Records []int64 `json:"records,omitempty"`
	Stopped string  `json:"stopped,omitempty"`
	// PlanFile is the file that the plan was written to or read from.
	PlanFile string `json:"plan_file,omitempty"`
	home     string // Of homeCommand.

	ShowWhole, ShowRows bool `json:"-"` // How it is shown.
}

// PlannedChanges implements planned.
func (o *PlanResult) PlannedChanges() *[]change.Change { return &o.Plan.Changes }

// Warn implements Result.
func (o *PlanResult) Warn(warnings []string) { o.Plan.Warnings = append(o.Plan.Warnings, warnings...) }

// Operation returns the command of any operation: it plans, shows the plan, and writes
// it with --apply. request makes the operation of arguments and flags.
func (a *App) Operation(use, short string, request func(ctx context.Context, c *Invocation) (ops.Op, error)) *cobra.Command {
	return a.OperationOr(use, short, request, nil)
}

// Run runs a command.
type Run = func(ctx context.Context, c *Invocation) (Result, error)

// OperationOr returns the command of an operation that has actions beside it, which plan nothing.
func (a *App) OperationOr(use, short string, request func(ctx context.Context, c *Invocation) (ops.Op, error), actions map[string]Run) *cobra.Command {
	var apply, dry bool
	var planOut TextFlag
	cmd := a.Command(GroupChange, use, short, func(ctx context.Context, c *Invocation) (Result, error) {
		if run := actions[c.Action]; run != nil {
			return run(ctx, c)
		}
		op, err := request(ctx, c)
		if err != nil {
			return nil, err
		}
		c.PlanOut = planOut
		r, err := c.Perform(ctx, op, apply)
		if c.Quiet != nil {
			if nothing, ok := c.Quiet(err); ok {
				return nothing, nil
			}
		}
		return r, err
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&apply, "apply", false, "write the change")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would change (the default)")
	BindPlanOut(cmd.Flags(), &planOut)
	return cmd
}

// BindOldForce accepts --force of a command that needed it in earlier versions: it was for
// moving context items beside a host.
func BindOldForce(fs *pflag.FlagSet) {
	fs.Bool("force", false, "accepted as in earlier versions")
	_ = fs.MarkDeprecated("force", "nothing needs it any more: what is written beside a host can't make it lose messages") // It is there.
}

// Perform plans an operation and, if it is to be applied, writes the plan.
func (c *Invocation) Perform(ctx context.Context, op ops.Op, apply bool) (Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	path, err := c.PlanPlace(db, c.PlanOut, op)
	if err != nil {
		return nil, err
	}
	defer c.Sys.FreeEagerly()()
	if apply {
		if r, done, err := c.applyInParts(ctx, db, op); done {
			return r, err
		}
	}
	g, generates := op.(ops.Generator)
	if apply && generates {
		op = g.Generating()
	}
	if apply {
		kept, release := ops.KeepLocks(ctx)
		defer release()
		ctx = kept
	}
	for tries := 1; ; tries++ {
		plan, err := op.Plan(ctx, db, c.Progress())
		if err == nil {
			err = ops.NotePending(ctx, db, &plan)
		}
		if err != nil {
			return nil, withChoices(UnknownConversation(ctx, db, err))
		}
		o := &PlanResult{Plan: plan, ShowWhole: c.WholeTexts, ShowRows: c.Rows}
		if plan.Set != nil && plan.Empty() && (apply || path != "") {
			c.Exit = ExitNothing
			return o, nil
		}
		if !apply {
			return c.preview(ctx, db, op, o, path)
		}
		out, err := ops.ApplyPlan(ctx, db, plan, c.Progress())
		var stale *data.StaleError
		if errors.As(err, &stale) && generates && tries < MaxTries {
			continue // A model took its time. What it answered is kept, so this costs nothing.
		}
		if err != nil {
			return nil, err
		}
		o.Applied, o.Record, o.Notes = true, &out.Record, append(o.Notes, ops.Outcome(out)...)
		o.Stopped = StopReason(plan.Partial)
		return o, plan.Partial
	}
}

// applyInParts plans and writes an operation that is written step by step or in batches; not done
// where it is written whole. A file that can't be written is refused before minutes of planning.
func (c *Invocation) applyInParts(ctx context.Context, db *data.DB, op ops.Op) (r Result, done bool, err error) {
	if err := c.ReadyToWrite(ctx, db); err != nil {
		return nil, true, err
	}
	switch op := op.(type) {
	case ops.Stepper:
		if _, stepwise := op.Step(0); stepwise {
			r, err = c.applySteps(ctx, db, op)
			return r, true, err
		}
	case ops.Batcher:
		r, err = c.applyBatches(ctx, db, op)
		return r, true, err
	}
	return nil, false, nil
}

// preview returns the result of an operation that isn't applied. Its plan is written into the file at
// path, where there is one.
func (c *Invocation) preview(ctx context.Context, db *data.DB, op ops.Op, o *PlanResult, path string) (Result, error) {
	if path != "" {
		if err := c.WritePlan(ctx, db, op, o, path); err != nil {
			return nil, err
		}
	}
	c.Partial = o.Plan.Partial != nil
	return o, o.Plan.Partial
}

// ReadyToWrite works as that of the database, and says where someone looks on that it waits for a lock, and for whose.
func (c *Invocation) ReadyToWrite(ctx context.Context, db *data.DB) error {
	return db.ReadyToWrite(data.ReportWaits(ctx, c.Progress()))
}

// MaxTries is how often a plan that a model was asked for is made, while a host
// writes in between.
const MaxTries = 3

// Progress tells how far long work is, on one line that it overwrites, where
// someone looks on.
func (c *Invocation) Progress() data.Report {
	if !IsTerminal(c.Sys.Err) {
		return func(int, int, string) {}
	}
	var last time.Time
	return func(done, total int, note string) {
		now := time.Now()
		if now.Sub(last) < 100*time.Millisecond && done < total {
			return
		}
		last = now
		text := ui.Line(note)
		if total > 0 {
			text += " " + ui.Percent(float64(done)/float64(total))
		}
		fmt.Fprintf(c.Sys.Err, "\r\x1b[K%s", ui.Cut(text, max(20, width(c.Sys.Err)-1)))
		c.hasProgress = true
	}
}

// Wipe takes the progress off the terminal.
func (c *Invocation) Wipe() {
	if c.hasProgress {
		fmt.Fprint(c.Sys.Err, "\r\x1b[K")
		c.hasProgress = false
	}
}

// withChoices adds to an error how the user decides what is open, where something is.
func withChoices(err error) error {
	var nothing *repair.NothingError
	if !errors.As(err, &nothing) || howToChoose(nothing.Items) == "" {
		return err
	}
	return hint.Wrap(nothing, strings.TrimPrefix(nothing.Hint()+"\n"+howToChoose(nothing.Items), "\n"))
}
