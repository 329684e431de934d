package data

import (
	"context"
	"slices"
)

// ImagesOf is Images for the rows of which a column has one of many values; take
// gets them one by one, those of some values before those of others.
func (db *DB) ImagesOf(ctx context.Context, table, column string, values []any, take func(Row)) error {
	columns := db.schema.Columns(table)
	if !db.schema.Has(table, column) {
		return nil
	}
	order := ""
	if key := db.schema.Key(table); len(key) > 0 {
		order = " ORDER BY " + quoteAll(key)
	}
	for chunk := range slices.Chunk(values, maxArgs) {
		query := "SELECT " + quoteAll(columns) + " FROM " + quote(table) +
			" WHERE " + quote(column) + " IN (" + marks(len(chunk)) + ")" + order
		err := db.each(ctx, "read "+table, query, chunk, func(scan scanner) error {
			vals := make([]any, len(columns))
			if err := scan(pointers(vals)...); err != nil {
				return err
			}
			r := make(Row, len(columns))
			for i, c := range columns {
				r[c] = vals[i]
			}
			take(r)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Fit is the part of a row that a table of this file has columns for, and the
// names of the columns that hold something and have no place here.
func (db *DB) Fit(table string, r Row) (fit Row, homeless []string) {
	fit = make(Row, len(r))
	for column, v := range r {
		switch {
		case db.schema.Has(table, column):
			fit[column] = v
		case v != nil:
			homeless = append(homeless, column)
		}
	}
	slices.Sort(homeless)
	return fit, homeless
}

// Instant is the time that a cell holds, as hosts write it.
func Instant(cell any) Time {
	var t Time
	_ = t.Scan(cell)
	return t
}

// Text is a cell as text; NULL is empty.
func Text(cell any) string { return asText(cell) }

// Integer is a cell as a whole number; what isn't one is 0.
func Integer(cell any) int64 { return asInteger(cell) }
