package data

import (
	"encoding/json"
	"strings"
	"time"
)

// Time is a stored time: the instant, if the text could be parsed, and the text as it is
// stored. Its JSON is the text, or null where there is none.
type Time struct {
	time.Time
	Raw  string
	Null bool
}

// Scan implements sql.Scanner.
func (t *Time) Scan(v any) error {
	*t = Time{Raw: CellText(v), Null: v == nil}
	t.Time, _ = ParseTime(t.Raw)
	return nil
}

// Valid reports whether the stored text is a time.
func (t Time) Valid() bool { return !t.IsZero() }

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.Null || t.Raw == "" {
		return []byte("null"), nil
	}
	return json.Marshal(t.Raw)
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(b []byte) error {
	var text *string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	if text == nil {
		*t = Time{Null: true}
		return nil
	}
	return t.Scan(*text)
}

var timeLayouts = []string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02",
}

// parseSeconds reads SQLite's own form, which most cells have, in a tenth of the time that
// a layout takes. What isn't exactly of that form, it leaves to others.
func parseSeconds(s string) (t time.Time, ok bool) {
	if len(s) != len("2006-01-02 15:04:05") || s[4] != '-' || s[7] != '-' || s[10] != ' ' || s[13] != ':' || s[16] != ':' {
		return t, false
	}
	ok = true
	number := func(from, to int) (n int) {
		for _, c := range []byte(s[from:to]) {
			ok = ok && '0' <= c && c <= '9'
			n = n*10 + int(c-'0')
		}
		return n
	}
	year, month, day, hour, minute, second := number(0, 4), number(5, 7), number(8, 10), number(11, 13), number(14, 16), number(17, 19)
	t = time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	// Date turns the 31st of June into the 1st of July.
	ok = ok && t.Day() == day && t.Month() == time.Month(month) && hour < 24 && minute < 60 && second < 60
	return t, ok
}

// ParseTime reads the two forms that hosts write: SQLite's "2006-01-02
// 15:04:05", which is UTC, and ISO 8601 with Z or an offset. A fraction of a
// second may follow either. Hosts before 0.6 read the first as local time, so
// ranges in their files may be off by the host's offset.
func ParseTime(s string) (t time.Time, ok bool) {
	if len(s) < len("2006-01-02") || s[0] < '0' || s[0] > '9' {
		return t, false
	}
	if t, ok := parseSeconds(s); ok {
		return t, true
	}
	s = strings.Replace(strings.TrimSpace(s), " ", "T", 1)
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// FormatTimeMillis returns an instant as hosts note ranges and their own work: in UTC, to the
// millisecond.
func FormatTimeMillis(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// FormatTime returns an instant as hosts store it: in UTC, to the second.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// CellTime returns the time that a cell holds, as hosts write it.
func CellTime(cell any) Time {
	var t Time
	_ = t.Scan(cell)
	return t
}

// Cell returns the time as a cell: NULL where there is none.
func (t Time) Cell() any {
	if t.Raw == "" {
		return nil
	}
	return t.Raw
}

// FormatNow returns the present time as hosts write created_at.
func (db *DB) FormatNow() string { return FormatTime(db.Now()) }

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
