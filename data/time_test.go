package data_test

import (
	"testing"
	"time"

	"lcm-tui/data"
)

// TestTimesWhereClocksAreChanged are those of JavaScript, from places to the east and to the west of Greenwich.
func TestTimesWhereClocksAreChanged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, shown, want string }{
		{"Europe/Berlin", "2026-10-25T01:59", "2026-10-24T23:59Z"},
		{"Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30Z"},
		{"Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00Z"},
		{"Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30Z"},
		{"America/New_York", "2026-11-01T01:30", "2026-11-01T05:30Z"},
		{"America/New_York", "2026-11-01T02:00", "2026-11-01T07:00Z"},
		{"America/New_York", "2026-03-08T02:30", "2026-03-08T07:30Z"},
		{"America/Havana", "2026-03-08T00:00", "2026-03-08T05:00Z"},
		{"America/Havana", "2026-11-01T00:00", "2026-11-01T04:00Z"},
		{"Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45Z"},
		{"Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00Z"},
		{"UTC", "2026-10-25T02:30", "2026-10-25T02:30Z"},
	} {
		const minutes = "2006-01-02T15:04"
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, err := data.ParseInZone(minutes, c.shown, zone)
		if got := at.UTC().Format(minutes + "Z"); err != nil || got != c.want {
			t.Errorf("%s in %s: %s, %v, want %s", c.shown, c.zone, got, err, c.want)
		}
		at, err = data.ParseInZone(minutes+"Z07:00", c.shown+"+02:00", zone)
		if want, _ := time.Parse(minutes+"Z07:00", c.shown+"+02:00"); err != nil || !at.Equal(want) {
			t.Errorf("%s with its own zone: %v, %v, want %v", c.shown, at, err, want)
		}
	}
}
