package data

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Row is one row by column name. Its values are nil, int64, float64, string or
// []byte, exactly as SQLite stores them.
//
// Its JSON is lossless: a value that JSON can't hold (a BLOB, text that isn't
// UTF-8, a REAL, which would come back as an integer) is an object with one key
// that names its type.
type Row map[string]any

// Columns returns the row's column names in order.
func (r Row) Columns() []string {
	if set := r.ColumnSet(); set != nil {
		return slices.Clone(set.Names)
	}
	return slices.Sorted(maps.Keys(r))
}

// Equal reports whether the rows hold the same values of the same types.
func (r Row) Equal(o Row) bool { return maps.EqualFunc(r.whole(), o.whole(), SameValue) }

// SameValue reports whether two cells are equal, as SQLite stores them.
func SameValue(a, b any) bool {
	if x, ok := a.([]byte); ok {
		y, ok := b.([]byte)
		return ok && bytes.Equal(x, y)
	}
	_, blob := b.([]byte)
	return !blob && a == b
}

// Pick returns the part of r that has these columns.
func (r Row) Pick(columns []string) Row {
	n := make(Row, len(columns))
	for _, c := range columns {
		n[c] = r[c]
	}
	return n
}

const (
	tagBlob = "$blob" // Base64 of a BLOB.
	tagText = "$text" // Base64 of text that isn't UTF-8.
	tagReal = "$real" // A REAL in decimal.
)

// MarshalJSON implements json.Marshaler.
func (r Row) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	m := make(map[string]any, r.Width())
	for k, v := range r.whole() {
		m[k] = TaggedValue(v)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("encode row: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// TaggedValue returns a cell as records have it: with its type where JSON would lose that.
func TaggedValue(v any) any {
	switch v := v.(type) {
	case []byte:
		return map[string]string{tagBlob: base64.StdEncoding.EncodeToString(v)}
	case float64:
		return map[string]string{tagReal: strconv.FormatFloat(v, 'g', -1, 64)}
	case string:
		if !utf8.ValidString(v) {
			return map[string]string{tagText: base64.StdEncoding.EncodeToString([]byte(v))}
		}
	}
	return v
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Row) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return fmt.Errorf("decode row: %w", err)
	}
	for k, v := range m {
		u, err := untaggedValue(v)
		if err != nil {
			return fmt.Errorf("decode column %s: %w", k, err)
		}
		m[k] = u
	}
	*r = m
	return nil
}

func untaggedValue(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return v.Int64()
	case map[string]any:
		for tag, s := range v {
			if s, ok := s.(string); ok && len(v) == 1 {
				return decodeTag(tag, s)
			}
		}
	case nil, string:
		return v, nil
	}
	return nil, fmt.Errorf("unexpected value %v", v)
}

func decodeTag(tag, s string) (any, error) {
	switch tag {
	case tagReal:
		return strconv.ParseFloat(s, 64)
	case tagBlob:
		return base64.StdEncoding.DecodeString(s)
	case tagText:
		b, err := base64.StdEncoding.DecodeString(s)
		return string(b), err
	}
	return nil, fmt.Errorf("unknown tag %q", tag)
}

// Label names a row for people: its table and the values of its key.
func Label(table string, key []string, r Row) string {
	parts := make([]string, 0, len(key))
	for _, k := range key {
		parts = append(parts, CellText(r[k]))
	}
	return table + " " + strings.Join(parts, "/")
}
