package change

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
)

// BlockedError says that a record can't be undone before a later one is.
type BlockedError struct {
	Record, By int64
	Title      string // Of the later one.
	Err        error  // What stood in the way.
}

func (e *BlockedError) Error() string {
	return fmt.Sprintf("record %d can't be undone before record %d (%s), which changed the same rows later: %v", e.Record, e.By, e.Title, e.Err)
}

// Unwrap gives the cause.
func (e *BlockedError) Unwrap() error { return e.Err }

// ScreenHint names what to undo first.
func (e *BlockedError) ScreenHint() string {
	return fmt.Sprintf("undo #%d in the history first, then #%d", e.By, e.Record)
}

// Hint names the commands that undo both in the right order.
func (e *BlockedError) Hint() string {
	return fmt.Sprintf("undo that first: lcm-tui undo %d; then lcm-tui undo %d", e.By, e.Record)
}

// explainBlocked turns the failure of an undo into a BlockedError if a later record that isn't
// undone changed the same rows, or rows that refer to rows which the record inserted.
func explainBlocked(ctx context.Context, db *data.DB, r Record, cs []Change, failure error) error {
	var changed *data.StaleError
	var broken *data.InvariantError
	if failure == nil || !errors.As(failure, &changed) && !errors.As(failure, &broken) && !errors.Is(failure, data.ErrConstraint) {
		return failure
	}
	touches := touching(cs)
	later, err := History(ctx, db)
	if err != nil {
		return failure
	}
	for _, l := range later { // The newest first: it is the one that can be undone.
		if l.ID <= r.ID || l.Undone() {
			continue
		}
		_, changes, err := RecordChanges(ctx, db, l.ID)
		if err == nil && slices.ContainsFunc(changes, touches) {
			return &BlockedError{Record: r.ID, By: l.ID, Title: l.Title, Err: failure}
		}
	}
	return failure
}
