package search

import (
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
)

// dateLayouts are the forms of dates and times, and how long what each names is.
var dateLayouts = []struct {
	layout              string
	years, months, days int
	length              time.Duration
}{
	{"2006-01-02T15:04:05", 0, 0, 0, time.Second},
	{"2006-01-02T15:04", 0, 0, 0, time.Minute},
	{"2006-01-02", 0, 0, 1, 0},
	{"2006-01", 0, 1, 0, 0},
	{"2006", 1, 0, 0, 0},
}

// parseDate returns the span that a date names: a day, a month, a year, a minute, today, yesterday,
// or the instant so long ago as 90m, 12h, 7d, 2w or 1y say. A date-time may end in Z or an
// offset.
func parseDate(text string, now time.Time, in *time.Location) (TimeSpan, bool) {
	now = now.In(in)
	switch strings.ToLower(text) {
	case "today":
		return dayOf(now, 0), true
	case "yesterday":
		return dayOf(now, 1), true
	case "now":
		return TimeSpan{now, now}, true
	}
	if ago, ok := parseAge(text, now); ok {
		return TimeSpan{ago, ago}, true
	}
	for _, l := range dateLayouts {
		if shown, err := time.Parse(l.layout, text); err == nil {
			return TimeSpan{data.InZone(shown, in), data.InZone(shown.AddDate(l.years, l.months, l.days), in).Add(l.length)}, true
		}
		if l.length == 0 {
			continue
		}
		if at, err := time.Parse(l.layout+"Z07:00", text); err == nil {
			return TimeSpan{at, at.Add(l.length)}, true
		}
	}
	return TimeSpan{}, false
}

// dayOf returns the day of a time in its zone, or one so many days before. Where clocks are changed at midnight it is an hour longer
// or shorter.
func dayOf(t time.Time, back int) TimeSpan {
	midnight := time.Date(t.Year(), t.Month(), t.Day()-back, 0, 0, 0, 0, time.UTC)
	return TimeSpan{data.InZone(midnight, t.Location()), data.InZone(midnight.AddDate(0, 0, 1), t.Location())}
}

// parseAge returns the instant that lies so long before now.
func parseAge(text string, now time.Time) (time.Time, bool) {
	if len(text) < 2 {
		return now, false
	}
	n, err := strconv.Atoi(text[:len(text)-1])
	const most = 100_000
	if err != nil || n < 0 || n > most || text[0] == '+' || text[0] == '-' {
		return now, false
	}
	switch text[len(text)-1] {
	case 'm':
		return now.Add(-time.Duration(n) * time.Minute), true
	case 'h':
		return now.Add(-time.Duration(n) * time.Hour), true
	case 'd':
		return now.AddDate(0, 0, -n), true
	case 'w':
		return now.AddDate(0, 0, -7*n), true
	case 'y':
		return now.AddDate(-n, 0, 0), true
	}
	return now, false
}
