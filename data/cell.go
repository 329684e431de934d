package data

import (
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

// word is text that has few different values, such as a role: equal values share their memory.
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

// Raw reads are for those who look for damage: cells keep what is wrong with them, and links
// keep ends that don't exist. A table or column that the file lacks reads as empty.

// Number is a cell that should hold a whole number.
type Number struct {
	Value int64
	Valid bool // It does.
	Raw   string
}

// Scan implements sql.Scanner.
func (n *Number) Scan(v any) error {
	*n = Number{}
	if i, ok := v.(int64); ok {
		n.Value, n.Valid = i, true
		return nil
	}
	n.Value, n.Raw = asInteger(v), asText(v)
	return nil
}

func (n Number) String() string {
	if n.Valid {
		return strconv.FormatInt(n.Value, 10)
	}
	return n.Raw
}

// Stored is a text cell as it is stored.
type Stored struct {
	Text string
	Null bool
	Blob bool // Not text; Text are its bytes.
}

// Scan implements sql.Scanner.
func (s *Stored) Scan(v any) error {
	_, blob := v.([]byte)
	*s = Stored{Text: asText(v), Null: v == nil, Blob: blob}
	return nil
}

// CellText is a cell as text; NULL is empty.
func CellText(cell any) string { return asText(cell) }

// CellInteger is a cell as a whole number; what isn't one is 0.
func CellInteger(cell any) int64 { return asInteger(cell) }
