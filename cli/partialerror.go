package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
	"lcm-tui/ops"
)

// Apply writes a plan and remembers its record.
func (c *Invocation) Apply(ctx context.Context, db *data.DB, p ops.Plan, report data.Report) (change.Outcome, error) {
	out, err := ops.ApplyPlan(ctx, db, p, report)
	if err == nil {
		c.Records = append(c.Records, out.Record)
	}
	return out, err
}

// end prints what a command has to say. Where it failed after some of it was made or
// written, that is its result; where nothing was, there is only the error.
func (c *Invocation) end(r Result, err error) error {
	if err == nil {
		return c.print(r)
	}
	if len(c.Records) == 0 && !c.Partial {
		c.printWarnings()
		return err
	}
	if unprinted := c.print(r); unprinted != nil {
		err = errors.Join(err, unprinted)
	}
	var stopped *PartialError
	if errors.As(err, &stopped) || len(c.Records) == 0 {
		return err
	}
	return &PartialError{Written: WrittenLine(c.Records), Next: undoHint(c.Records), Err: err}
}

// PartialError is a command that ended early, after some of it was written. What is
// written stays.
type PartialError struct {
	Written, Next string
	Err           error
}

func (e *PartialError) Error() string {
	if errors.Is(e.Err, context.Canceled) {
		return "cancelled; " + e.Written
	}
	return e.Err.Error() + "; " + e.Written
}

// Unwrap returns why it ended.
func (e *PartialError) Unwrap() error { return e.Err }

// Hint says what can be done about the cause, and about what is written.
func (e *PartialError) Hint() string {
	return strings.Trim(hint.Of(e.Err)+"\n"+e.Next, "\n")
}

// WrittenLine says which records there are.
func WrittenLine(ids []int64) string {
	if len(ids) == 1 {
		return fmt.Sprintf("record %d is written and stays", ids[0])
	}
	return fmt.Sprintf("records %d to %d are written and stay", slices.Min(ids), slices.Max(ids))
}

func undoHint(ids []int64) string {
	if len(ids) == 1 {
		return fmt.Sprintf("%s undo %d undoes it", Program, ids[0])
	}
	return Program + " undo undoes the last one"
}

// StopReason returns what a result says of a command that ended early.
func StopReason(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return err.Error()
}
