package reading

import (
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"io"
	"strconv"
	"strings"

	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/translate"
)

// rows returns the rows of the server with values as SQLite has them.
type rows struct {
	rows    *sql.Rows
	columns []string
	ahead   bool     // The next row is the present one of rows.
	ended   bool     // There are no rows.
	kinds   []string // What the server calls the types.
	values  []any
	places  []any
	odd     map[int]postgres.Kind // Columns with cells that stand elsewhere, by their places.
	decode  func(string) string   // Changes texts, or nil.
}

// newRows returns rows that stand before the first one. It is read here: what is wrong with a statement is known only then.
func newRows(of *sql.Rows, odd []translate.OddColumn, decode func(string) string) (driver.Rows, error) {
	types, err := of.ColumnTypes()
	more := of.Next() // It closes the rows where there are none.
	if !more && of.Err() != nil {
		err = of.Err()
	}
	if err != nil {
		_ = of.Close()
		return nil, err
	}
	r := &rows{rows: of, ahead: more, ended: !more, values: make([]any, len(types)), places: make([]any, len(types)), odd: map[int]postgres.Kind{}, decode: decode}
	for _, o := range odd {
		table, _ := postgres.TableOf(o.Table)
		column, _ := table.Column(o.Column)
		r.odd[o.Place] = column.Kind
	}
	for i, t := range types {
		r.columns = append(r.columns, t.Name())
		r.kinds = append(r.kinds, t.DatabaseTypeName())
		r.places[i] = &r.values[i]
	}
	return r, nil
}

// Columns implements driver.Rows.
func (r *rows) Columns() []string { return r.columns }

// Close implements driver.Rows.
func (r *rows) Close() error { return r.rows.Close() }

// Next implements driver.Rows.
func (r *rows) Next(to []driver.Value) error {
	if r.ended {
		return io.EOF
	}
	if r.ahead {
		r.ahead = false
	} else if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	if err := r.rows.Scan(r.places...); err != nil {
		return err
	}
	for i, v := range r.values {
		to[i] = cellOf(v, r.kinds[i])
		if kind, ok := r.odd[i]; ok {
			cell, err := exactCell(to[i], kind)
			if err != nil {
				return err
			}
			to[i] = cell
		}
		if text, ok := to[i].(string); ok && r.decode != nil {
			to[i] = r.decode(text)
		}
	}
	return nil
}

// exactCell returns the cell of a column of which some cells stand elsewhere.
func exactCell(v any, kind postgres.Kind) (any, error) {
	text, ok := v.(string)
	if !ok {
		return v, nil
	}
	if odd, ok := strings.CutPrefix(text, translate.OddText); ok {
		class, digits, _ := strings.Cut(odd, " ")
		content, err := hex.DecodeString(digits)
		if err != nil {
			return nil, err
		}
		return postgres.DecodeOdd(class, content)
	}
	text = strings.TrimPrefix(text, translate.HeldCell)
	switch kind {
	case postgres.KindInteger, postgres.KindBoolean:
		return strconv.ParseInt(text, 10, 64)
	case postgres.KindReal:
		return strconv.ParseFloat(text, 64)
	}
	return text, nil
}

// cellOf returns a value of the server as SQLite has it: a truth value is 0 or 1, and a sum is a whole number.
func cellOf(v any, kind string) any {
	switch v := v.(type) {
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case int32:
		return int64(v)
	case int16:
		return int64(v)
	case []byte:
		if kind != "BYTEA" {
			return string(v)
		}
		if len(v) == 0 {
			return nil // As the driver of SQLite returns an empty BLOB.
		}
	case string:
		if kind != "NUMERIC" {
			return v
		}
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return n
		}
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			return f
		}
	}
	return v
}
