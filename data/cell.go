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

// Text reads a cell as text. NULL is empty; a BLOB gives its bytes as they are.
type Text string

// Scan implements sql.Scanner.
func (t *Text) Scan(v any) error {
	*t = Text(CellText(v))
	return nil
}

// Word is text that has few different values, such as a role: equal values share their memory.
type Word string

// Scan implements sql.Scanner.
func (w *Word) Scan(v any) error {
	*w = Word(unique.Make(CellText(v)).Value())
	return nil
}

// Integer reads a cell as a whole number; what isn't one is 0.
type Integer int64

// Scan implements sql.Scanner.
func (i *Integer) Scan(v any) error {
	*i = Integer(CellInteger(v))
	return nil
}

// CellText returns a cell as text; NULL is empty.
func CellText(v any) string {
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

// CellInteger returns a cell as a whole number; what isn't one is 0.
func CellInteger(v any) int64 {
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

// wholeNumber returns the whole part of f; what lies outside of the whole numbers is the
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
	n.Value, n.Raw = CellInteger(v), CellText(v)
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
	*s = Stored{Text: CellText(v), Null: v == nil, Blob: blob}
	return nil
}
