package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops"
)

// apply writes a plan and remembers its record.
func (c *invocation) apply(ctx context.Context, db *data.DB, p ops.Plan, report data.Report) (change.Outcome, error) {
	out, err := ops.ApplyPlan(ctx, db, p, report)
	if err == nil {
		c.records = append(c.records, out.Record)
	}
	return out, err
}

// end prints what a command has to say. Where it failed after some of it was made or
// written, that is its result; where nothing was, there is only the error.
func (c *invocation) end(r result, err error) error {
	if err == nil {
		return c.print(r)
	}
	if len(c.records) == 0 && !c.partial {
		c.printWarnings()
		return err
	}
	if unprinted := c.print(r); unprinted != nil {
		err = errors.Join(err, unprinted)
	}
	var stopped *partialError
	if errors.As(err, &stopped) || len(c.records) == 0 {
		return err
	}
	return &partialError{written: writtenLine(c.records), hint: undoHint(c.records), err: err}
}

// partialError is a command that ended early, after some of it was written. What is
// written stays.
type partialError struct {
	written, hint string
	err           error
}

func (e *partialError) Error() string {
	if errors.Is(e.err, context.Canceled) {
		return "cancelled; " + e.written
	}
	return e.err.Error() + "; " + e.written
}

// Unwrap is why it ended.
func (e *partialError) Unwrap() error { return e.err }

// Hint says what can be done about the cause, and about what is written.
func (e *partialError) Hint() string {
	var h interface{ Hint() string }
	if errors.As(e.err, &h) && h.Hint() != "" {
		return strings.TrimSuffix(h.Hint()+"\n"+e.hint, "\n")
	}
	return e.hint
}

// writtenLine says which records there are.
func writtenLine(ids []int64) string {
	if len(ids) == 1 {
		return fmt.Sprintf("record %d is written and stays", ids[0])
	}
	return fmt.Sprintf("records %d to %d are written and stay", slices.Min(ids), slices.Max(ids))
}

func undoHint(ids []int64) string {
	if len(ids) == 1 {
		return fmt.Sprintf("%s undo %d undoes it", program, ids[0])
	}
	return program + " undo undoes the last one"
}

// stopReason is what a result says of a command that ended early.
func stopReason(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return err.Error()
}
