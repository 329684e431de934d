package compact

import (
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
)

// engine is one run.
//
// Every pass depends on the one before: a leaf's model is shown the leaf before it,
// and whether there is another pass at all depends on how much the last one saved.
// So there is one call at a time. Leaves cannot be made side by side without
// changing what their models are asked, and condensing ahead would pay for calls
// that the reference engine doesn't make.
type engine struct {
	*state
	Request
	model  summarize.Model
	report data.Report
	out    *Outcome
	// counted is the running total as the reference engine keeps it within a sweep:
	// by what it weighs, not by what is stored, which may be more. It decides when a
	// sweep or a leaf's condensing stops, so that the calls are the same: of the
	// reference's recorded runs the one with a size to stop at would make a call
	// more by what is stored. What is shown, and what ends a run until a target, is
	// what is stored.
	counted int64
	round   int
}

// deadline returns the instant so many milliseconds from now, by the handle's clock; zero,
// which is never, if there are none.
func (e *engine) deadline(ms int64) time.Time {
	if ms <= 0 {
		return time.Time{}
	}
	return e.db.Now().Add(time.Duration(ms) * time.Millisecond)
}

// isPast reports whether a deadline has come.
func (e *engine) isPast(deadline time.Time) bool {
	return !deadline.IsZero() && !e.db.Now().Before(deadline)
}

// earlierDeadline returns the first of two deadlines.
func earlierDeadline(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
