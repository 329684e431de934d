package data

import (
	"strings"
	"time"
)

// ParseInZone reads a time that somebody wrote. Where its layout has no zone it is what clocks of zone show, see InZone.
func ParseInZone(layout, text string, zone *time.Location) (time.Time, error) {
	shown, err := time.Parse(layout, text)
	if err != nil || strings.Contains(layout, "Z07") {
		return shown, err //nolint:wrapcheck // Callers try several layouts.
	}
	return InZone(shown, zone), nil
}

// InZone returns when the clocks of a zone show what a time shows. Of an hour that comes twice it is the first, and
// one that is left out lies behind the change, as in JavaScript. Go doesn't say which of two times it takes.
func InZone(shown time.Time, zone *time.Location) time.Time {
	at := clockTime(shown, zone)
	if behind := clockTime(shown, time.UTC).Sub(clockTime(at, time.UTC)); behind != 0 { // No clock shows it.
		return at.Add(max(behind, 0))
	}
	change, _ := at.ZoneBounds()
	if change.IsZero() {
		return at
	}
	_, before := change.Add(-1).Zone()
	_, after := at.Zone()
	first := at.Add(time.Duration(after-before) * time.Second)
	if before > after && first.Before(change) {
		return first
	}
	return at
}

// clockTime returns a time in a zone with the date and the clock of another.
func clockTime(t time.Time, zone *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
}
