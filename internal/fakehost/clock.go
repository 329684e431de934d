package fakehost

import "time"

// The two forms of time in an lcm.db: SQLite's own, and the one with milliseconds.
const (
	Seconds = "2006-01-02 15:04:05"
	Millis  = "2006-01-02T15:04:05.000Z"
)

// at gives the time of a row: the one asked for, or a minute after the newest.
func (h *Writer) at(t time.Time) time.Time {
	if t.IsZero() {
		t = h.Clock.Add(time.Minute)
	}
	t = t.UTC()
	h.Clock = t
	return t
}

// iso turns a stored time of either form into the form with milliseconds; what is not
// a time gives nil.
func iso(stored string) any {
	for _, f := range []string{Seconds, time.RFC3339Nano} {
		if t, err := time.Parse(f, stored); err == nil {
			return t.UTC().Format(Millis)
		}
	}
	return nil
}
