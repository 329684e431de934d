package views

import (
	"time"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// clock tells the present. Times are shown in its zone, which is the local one but in tests.
type clock struct{ Now func() time.Time }

// Local returns t in the zone that the user lives in.
func (c clock) Local(t time.Time) time.Time { return t.In(c.Now().Location()) }

// Zone returns the name of that zone at t.
func (c clock) Zone(t time.Time) string { return c.Local(t).Format("MST") }

// Stamp returns a stored time in full, or what stands in its place.
func (c clock) Stamp(t data.Time) string {
	switch {
	case t.Valid():
		return c.Local(t.Time).Format("2006-01-02 15:04:05 MST")
	case t.Raw == "":
		return "no time"
	}
	return "not a time: " + ui.LineN(t.Raw, 40)
}

// Ago returns how long ago a time was, or empty for none.
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	return ui.Ago(t, now)
}
