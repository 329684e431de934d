package change

import (
	"context"
	"errors"
)

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
	var cause interface{ Hint() string }
	if !errors.As(e.Err, &cause) || cause.Hint() == "" {
		return e.Next
	}
	if e.Next == "" {
		return cause.Hint()
	}
	return cause.Hint() + "\n" + e.Next
}

// SaysReached reports whether an error says itself how far a command came.
func SaysReached(err error) bool {
	var reached *ReachedError
	var unfinished *UnfinishedError
	var stopped *StoppedError
	return errors.As(err, &reached) || errors.As(err, &unfinished) || errors.As(err, &stopped)
}
