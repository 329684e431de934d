package data

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unique"
)

// A cell may hold any type, whatever its column declares: SQLite enforces
// nothing, and hosts crash, are patched, and are edited by hand. So reading a
// cell never fails; what can't be understood reads as its zero value, and a
// time keeps its raw text.

// text reads a cell as text. NULL is empty; a BLOB gives its bytes as they are.
type text string

// Scan implements sql.Scanner.
func (t *text) Scan(v any) error {
	*t = text(asText(v))
	return nil
}

// word is text of which there are few kinds, such as a role: equal ones share
// their memory.
type word string

// Scan implements sql.Scanner.
func (w *word) Scan(v any) error {
	*w = word(unique.Make(asText(v)).Value())
	return nil
}

// integer reads a cell as a whole number; what isn't one is 0.
type integer int64

// Scan implements sql.Scanner.
func (i *integer) Scan(v any) error {
	*i = integer(asInteger(v))
	return nil
}

func asText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []byte:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	}
	return fmt.Sprint(v)
}

func asInteger(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		return wholeNumber(v)
	case bool:
		if v {
			return 1
		}
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		if err == nil {
			return n
		}
	}
	return 0
}

// wholeNumber is the whole part of f; what lies outside of the whole numbers is the
// nearest of them.
func wholeNumber(f float64) int64 {
	switch {
	case math.IsNaN(f):
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// Time is a stored time: the instant, if its text could be understood, and the
// text as it stands in the file. JSON is the text, or null where there is none.
type Time struct {
	time.Time
	Raw  string
	Null bool
}

// Scan implements sql.Scanner.
func (t *Time) Scan(v any) error {
	*t = Time{Raw: asText(v), Null: v == nil}
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
