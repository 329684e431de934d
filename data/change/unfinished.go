package change

import "fmt"

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

// SaysOutcome marks it as an error that says what is written.
func (e *UnfinishedError) SaysOutcome() {}

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
