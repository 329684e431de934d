package change

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lcm-tui/internal/hint"
)

// UnfinishedError says that a change was written in part only. Its record can be undone, unless it
// replaced secrets.
type UnfinishedError struct {
	Record int64
	Err    error
	// Irreversible says that the record can't be undone.
	Irreversible bool
	// HalfUndone says that the change was written, and its undo was interrupted.
	HalfUndone bool
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("record %d is not finished: %v", e.Record, e.Err)
}

// Unwrap gives the cause.
func (e *UnfinishedError) Unwrap() error { return e.Err }

// ScreenHint says how to get rid of it.
func (e *UnfinishedError) ScreenHint() string {
	if e.Irreversible {
		return "what was replaced stays replaced, and can't be undone; look for secrets again, and replace the rest"
	}
	if e.HalfUndone {
		return fmt.Sprintf("some of its changes are undone and the rest is in place; undo #%d again in the history", e.Record)
	}
	return fmt.Sprintf("some of its changes are in place, and the rest is missing; undo #%d in the history, then plan it again", e.Record)
}

// Hint says how to get rid of it.
func (e *UnfinishedError) Hint() string {
	if e.Irreversible {
		return "what was replaced stays replaced, and can't be undone; give the same command again for the rest"
	}
	if e.HalfUndone {
		return fmt.Sprintf("some of its changes are undone and the rest is in place: undo it again with lcm-tui undo %d", e.Record)
	}
	return fmt.Sprintf("some of its changes are written and the rest is missing: undo it with lcm-tui undo %d, then plan it again", e.Record)
}

// ReachedError says how far a command came that ended early. Its texts are made from what was done, not
// from the cause.
type ReachedError struct {
	Reached string // What was done and what wasn't, such as "the database is the backup".
	Next    string // What to do about it; empty is nothing.
	Err     error  // Why it ended.
}

func (e *ReachedError) Error() string {
	if errors.Is(e.Err, context.Canceled) {
		return "cancelled; " + e.Reached
	}
	return e.Err.Error() + "; " + e.Reached
}

// Unwrap gives the cause.
func (e *ReachedError) Unwrap() error { return e.Err }

// Hint says what can be done about the cause, and about what was done.
func (e *ReachedError) Hint() string {
	return strings.Trim(hint.Of(e.Err)+"\n"+e.Next, "\n")
}

// SaysReached reports whether an error says itself how far a command came.
func SaysReached(err error) bool {
	var reached *ReachedError
	var unfinished *UnfinishedError
	var stopped *StoppedError
	return errors.As(err, &reached) || errors.As(err, &unfinished) || errors.As(err, &stopped)
}
