package service

import (
	"fmt"
	"strings"
	"time"
)

// Window is the hours of the day in which work is begun, by the clock of this machine, also over midnight. The zero
// value is the whole day.
type Window struct{ from, to time.Duration } // Since midnight.

// ParseWindow reads hours such as 01:00-06:00.
func ParseWindow(s string) (w Window, err error) {
	from, to, ok := strings.Cut(s, "-")
	if ok {
		if w.from, ok = timeOfDay(from); ok {
			w.to, ok = timeOfDay(to)
		}
	}
	if !ok || w.from == w.to {
		return Window{}, fmt.Errorf("expected two times of day such as 01:00-06:00 or 22:00-05:30, not %q", s)
	}
	return w, nil
}

func timeOfDay(s string) (time.Duration, bool) {
	at, err := time.Parse("15:04", s)
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute, err == nil && len(s) == len("15:04")
}

// Has reports whether a time lies in the window, of which its end is no part.
func (w Window) Has(at time.Time) bool {
	if w == (Window{}) {
		return true
	}
	day := time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	if w.from < w.to {
		return w.from <= day && day < w.to
	}
	return day >= w.from || day < w.to
}

func (w Window) String() string {
	if w == (Window{}) {
		return ""
	}
	clock := func(d time.Duration) string { return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60) }
	return clock(w.from) + "-" + clock(w.to)
}
