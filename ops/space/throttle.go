package space

import "time"

// throttle limits how often a report is made while a file is measured: each costs a pass over
// all conversations.
type throttle struct {
	now  func() time.Time
	last time.Time
}

// reportInterval is the time between two reports.
const reportInterval = 250 * time.Millisecond

func newThrottle(now func() time.Time) *throttle { return &throttle{now: now} }

// due reports whether the next report may be made, and notes that it is.
func (t *throttle) due() bool {
	now := t.now()
	if now.Sub(t.last) < reportInterval {
		return false
	}
	t.last = now
	return true
}
