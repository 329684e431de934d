package reading

import (
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// serverRows returns the rows of a query that was sent with others, with values as SQLite has them. The server sends all of them as texts.
type serverRows struct {
	results pgx.BatchResults
	rows    pgx.Rows
	columns []string
	types   []uint32
	ahead   bool                // The next row is the present one of rows.
	ended   bool                // There are no rows.
	decode  func(string) string // Changes texts, or nil.
}

// newServerRows returns rows that stand before the first one. It is read here: what is wrong with a statement is known only then.
func newServerRows(results pgx.BatchResults, decode func(string) string) (driver.Rows, error) {
	of, err := results.Query()
	if err != nil {
		_ = results.Close() // It says the same.
		return nil, err
	}
	r := &serverRows{results: results, rows: of, decode: decode}
	if r.ahead = of.Next(); !r.ahead {
		r.ended = true
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	for _, f := range of.FieldDescriptions() {
		r.columns, r.types = append(r.columns, f.Name), append(r.types, f.DataTypeOID)
	}
	return r, nil
}

// Columns implements driver.Rows.
func (r *serverRows) Columns() []string { return r.columns }

// Close implements driver.Rows.
func (r *serverRows) Close() error {
	r.rows.Close()
	return errors.Join(r.rows.Err(), r.results.Close())
}

// Next implements driver.Rows.
func (r *serverRows) Next(to []driver.Value) error {
	if r.ended {
		return io.EOF
	}
	if !r.ahead && !r.rows.Next() {
		r.ended = true
		if err := r.rows.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	r.ahead = false
	for i, raw := range r.rows.RawValues() {
		cell, err := cellOfText(raw, r.types[i])
		if err != nil {
			return err
		}
		if text, ok := cell.(string); ok && r.decode != nil {
			cell = r.decode(text)
		}
		to[i] = cell
	}
	return nil
}

// cellOfText returns a value that the server sent as text as SQLite has it: a truth value is 0 or 1, and a sum is a whole number.
func cellOfText(raw []byte, of uint32) (driver.Value, error) {
	if raw == nil {
		return nil, nil
	}
	text := string(raw)
	switch of {
	case pgtype.BoolOID:
		if text == "t" {
			return int64(1), nil
		}
		return int64(0), nil
	case pgtype.Int8OID, pgtype.Int4OID, pgtype.Int2OID, pgtype.OIDOID:
		return strconv.ParseInt(text, 10, 64)
	case pgtype.Float8OID, pgtype.Float4OID:
		return strconv.ParseFloat(text, 64)
	case pgtype.NumericOID:
		return cellOf(text, "NUMERIC"), nil
	case pgtype.ByteaOID:
		if len(text) <= len(`\x`) {
			return nil, nil // As the driver of SQLite returns an empty BLOB.
		}
		return hex.DecodeString(strings.TrimPrefix(text, `\x`))
	}
	return text, nil
}
