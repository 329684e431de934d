package postgres

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lcm-tui/data"
)

// maxIndexedText is the size in bytes of the longest text in a column that has an index: the server refuses entries
// of more than a third of a page.
const maxIndexedText = 1000

// indexedTexts are the columns of texts that have an index.
var indexedTexts = words("summary_id parent_summary_id file_id")

// nulSign stands in a column for a NUL character, which no text of PostgreSQL can hold.
const nulSign = "\u2400"

// Encode returns the values of a cell of SQLite for the server's columns: one, and for a column with a raw one two.
// exact reports whether Expression reads the same cell from them; the exact value of another cell belongs into odd_cells.
func (c *Column) Encode(cell any) (values []any, exact bool) {
	return c.Append(nil, cell)
}

// Append works as Encode and appends the values.
func (c *Column) Append(values []any, cell any) (all []any, exact bool) {
	value, raw, exact := c.encode(cell)
	if values = append(values, value); c.HasRaw() {
		values = append(values, raw)
	}
	return values, exact
}

// encode works as Encode for a value and its raw text, which is nil where the column has none.
func (c *Column) encode(cell any) (value, raw any, exact bool) {
	if cell == nil {
		return nil, nil, true
	}
	switch c.Kind {
	case KindInteger:
		value, exact = encodeInteger(cell)
	case KindReal:
		value, exact = encodeReal(cell)
	case KindBoolean:
		n, ok := cell.(int64)
		number, _ := encodeInteger(cell)
		value, exact = number != nil && number != int64(0), ok && (n == 0 || n == 1)
	case KindEnum:
		text, exact := c.encodeText(cell)
		if exact && slices.Contains(enumValues[c.Enum], text) {
			return text, nil, true
		}
		return otherValue, text, exact
	case KindInstant, KindMillis:
		text, exact := c.encodeText(cell)
		t, ok := data.ParseTime(text)
		if !ok || t.Year() < 1000 || t.Year() > 9999 {
			return nil, text, exact
		}
		if exact && c.format(t) == text {
			return t, nil, true
		}
		return t, text, exact
	default:
		value, exact = c.encodeText(cell)
	}
	return value, nil, exact
}

// format returns a time as hosts write it into the column.
func (c *Column) format(t time.Time) string {
	if c.Kind == KindMillis {
		return data.FormatTimeMillis(t)
	}
	return data.FormatTime(t)
}

// encodeText returns a cell as a text that the server takes.
func (c *Column) encodeText(cell any) (text string, exact bool) {
	text, exact = cell.(string)
	if !exact {
		text = data.CellText(cell)
	}
	if strings.IndexByte(text, 0) >= 0 {
		text, exact = strings.ReplaceAll(text, "\x00", nulSign), false
	}
	if !utf8.ValidString(text) {
		text, exact = strings.ToValidUTF8(text, "\uFFFD"), false
	}
	if len(text) > maxIndexedText && slices.Contains(indexedTexts, c.Name) {
		text, exact = data.StartOfText(text, maxIndexedText), false
	}
	return text, exact
}

// encodeInteger returns a cell as a whole number, or nil where it is none.
func encodeInteger(cell any) (value any, exact bool) {
	switch v := cell.(type) {
	case int64:
		return v, true
	case float64:
		return data.CellInteger(v), false
	case string:
		if n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64); err == nil {
			return n, false
		}
	}
	return nil, false
}

// encodeReal returns a cell as a floating-point number, or nil where it is none.
func encodeReal(cell any) (value any, exact bool) {
	switch v := cell.(type) {
	case float64:
		return v, !math.IsNaN(v)
	case int64:
		return float64(v), false
	case string:
		if f, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			return f, false
		}
	}
	return nil, false
}

// The classes of cells in odd_cells: how SQLite stores them.
const (
	classNull    = "null"
	classInteger = "integer"
	classReal    = "real"
	classText    = "text"
	classBlob    = "blob"
)

// EncodeOdd returns the storage class of a cell and its bytes: those of a text or a BLOB, or a number in decimal.
func EncodeOdd(cell any) (class string, content []byte) {
	switch v := cell.(type) {
	case nil:
		return classNull, nil
	case int64:
		return classInteger, strconv.AppendInt(nil, v, 10)
	case float64:
		return classReal, strconv.AppendFloat(nil, v, 'g', -1, 64)
	case []byte:
		return classBlob, append([]byte{}, v...)
	default:
		return classText, []byte(data.CellText(v))
	}
}

// DecodeOdd returns the cell that EncodeOdd was given.
func DecodeOdd(class string, content []byte) (cell any, err error) {
	switch class {
	case classNull:
		return nil, nil
	case classInteger:
		return strconv.ParseInt(string(content), 10, 64)
	case classReal:
		return strconv.ParseFloat(string(content), 64)
	case classBlob:
		return append([]byte{}, content...), nil
	default:
		return string(content), nil
	}
}
