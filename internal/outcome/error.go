package outcome

import (
	"context"
	"errors"
	"strings"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/parallel"
)

// Error says how far a command or a job came that ended early.
type Error struct {
	Reached string // What was done and what wasn't, such as "the database is the backup now".
	Next    string // What to do about it; empty is nothing.
	Err     error  // Why it ended.
}

func (e *Error) Error() string {
	if errors.Is(e.Err, context.Canceled) {
		return "cancelled; " + e.Reached
	}
	return e.Err.Error() + "; " + e.Reached
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// SaysOutcome marks an error that says how far it came.
func (e *Error) SaysOutcome() {}

// Hint says what can be done about the cause, and about what was done.
func (e *Error) Hint() string { return strings.Trim(hint.Of(e.Err)+"\n"+e.Next, "\n") }

// Explain returns an error that says how far it came. That is err where it says so itself, and an ordinary
// one where no write was tried.
func (o *Outcome) Explain(err error) error {
	var panicked *parallel.PanicError
	if err == nil || Says(err) || !o.Tried() && !errors.Is(err, context.Canceled) && !errors.As(err, &panicked) {
		return err
	}
	return &Error{Reached: o.Text(), Err: err}
}

// Says reports whether an error says itself how far a command came.
func Says(err error) bool {
	var says interface{ SaysOutcome() }
	return errors.As(err, &says)
}
