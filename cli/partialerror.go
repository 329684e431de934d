package cli

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/outcome"
)

// end prints what a command has to say. Where it failed after some of it was made or
// written, that is its result; where nothing was, there is only the error.
func (c *Invocation) end(r Result, err error) error {
	if err == nil {
		return c.print(r)
	}
	if len(c.Outcome.Records()) == 0 && !c.Partial || r == nil {
		c.printWarnings()
	} else if unprinted := c.print(r); unprinted != nil {
		err = errors.Join(err, unprinted)
	}
	after, passes := retryLater(err)
	err = c.withOutcome(err)
	if passes && !c.Outcome.Changed() && !c.Partial {
		return &busyError{err, after}
	}
	return err
}

// withOutcome adds to an error what was changed before it, where the error doesn't say it itself.
func (c *Invocation) withOutcome(err error) error {
	if outcome.Says(err) {
		return err
	}
	var e *outcome.Error
	if err = c.Outcome.Explain(err); !errors.As(err, &e) {
		return err
	}
	e.Next = undoHint(c.Outcome.Records())
	var stopped *regenerate.StoppedError
	if errors.Is(err, context.Canceled) && errors.As(err, &stopped) {
		e.Reached += "; " + stopped.Outcome()
	}
	return e
}

func undoHint(ids []int64) string {
	switch len(ids) {
	case 0:
		return ""
	case 1:
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
