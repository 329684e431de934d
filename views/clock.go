package views

import (
	"time"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// Times are shown in the zone of the clock, which is the local one but in tests.

// local is t in the zone that the user lives in.
func (e *Env) local(t time.Time) time.Time { return t.In(e.Now().Location()) }

// zone is the name of that zone at t.
func (e *Env) zone(t time.Time) string { return e.local(t).Format("MST") }

// stamp is a stored time in full, or what stands in its place.
func (e *Env) stamp(t data.Time) string {
	switch {
	case t.Valid():
		return e.local(t.Time).Format("2006-01-02 15:04:05 MST")
	case t.Raw == "":
		return "no time"
	}
	return "not a time: " + ui.LineN(t.Raw, 40)
}

// ago is how long ago a time was, or empty for none.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	return ui.Ago(t, now)
}
