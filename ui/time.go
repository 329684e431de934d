package ui

import (
	"strconv"
	"time"
)

const day = 24 * time.Hour

// Ago says how long before now t was, in its largest unit: 2m ago, 3h ago, 6w
// ago. The zero time is –, and what lies ahead by a skewed clock is now.
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return "–"
	}
	d := now.Sub(t)
	for _, u := range []struct {
		per  time.Duration
		name string
	}{{365 * day, "y"}, {7 * day, "w"}, {day, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if d >= u.per {
			return strconv.Itoa(int(d/u.per)) + u.name + " ago"
		}
	}
	return "now"
}

// Timestamp returns t in the local zone, to the second.
func Timestamp(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

// Duration returns a duration as a person says it: 8 ms, 1.2 s, 3m5s.
func Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	return d.Truncate(time.Second).String()
}
