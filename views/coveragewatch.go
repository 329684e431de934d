package views

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/change/losses"
)

// coverageWatch reports what others change in the database, and for ten minutes after a write
// of this program whether a host took messages out of a context by mistake, or put a summary
// beside the same messages. It may be asked by one at a time.
type coverageWatch struct {
	db       *data.DB
	reported map[string]bool
	waiting  []error // Errors that weren't reported yet.
	begun    bool
}

// watchCoverage returns a watch that reports what changes from now on: what the screens read first is never older.
func watchCoverage(ctx context.Context, db *data.DB) *coverageWatch {
	_, _ = db.Changed(ctx) // The next call tells the same error.
	return &coverageWatch{db: db, reported: map[string]bool{}}
}

// changed reports whether the database has changed since the last call. Such a find is an
// error, once, and after the change that brought it, so that screens are loaded again.
func (w *coverageWatch) changed(ctx context.Context) (bool, error) {
	if len(w.waiting) > 0 {
		err := w.waiting[0]
		w.waiting = w.waiting[1:]
		return false, err
	}
	changed, err := w.db.Changed(ctx)
	if err != nil || w.begun && !changed {
		return changed, err
	}
	w.begun = true
	found, err := losses.Errors(ctx, w.db, w.db.Now().Add(-losses.Watch))
	if err != nil {
		return changed, err
	}
	for _, l := range found {
		if !w.reported[l.Error()] {
			w.reported[l.Error()] = true
			w.waiting = append(w.waiting, l)
		}
	}
	return changed, nil
}
