package data

import (
	"context"
	"slices"
)

// EachImage is Images for the rows of which a column has one of many values, with
// these columns, or whole where none are named; take gets them one by one, those of
// some values before those of others.
func (db *DB) EachImage(ctx context.Context, table, column string, values []any, take func(Row), columns ...string) error {
	if columns = db.present(table, columns); len(columns) == 0 || !db.schema.Has(table, column) {
		return nil
	}
	order := ""
	if key := db.schema.Key(table); len(key) > 0 {
		order = " ORDER BY " + quoteAll(key)
	}
	for chunk := range slices.Chunk(values, maxArgs) {
		query := "SELECT " + quoteAll(columns) + " FROM " + QuoteName(table) +
			" WHERE " + QuoteName(column) + " IN (" + marks(len(chunk)) + ")" + order
		if err := db.eachRow(ctx, "read "+table, query, chunk, columns, take); err != nil {
			return err
		}
	}
	return nil
}

// ImagesIn is ImagesOf all at once.
func (db *DB) ImagesIn(ctx context.Context, table, column string, values []any, columns ...string) (out []Row, err error) {
	err = db.EachImage(ctx, table, column, values, func(r Row) { out = append(out, r) }, columns...)
	return out, err
}

// present are those of the columns that the table has; all of its own for none.
func (db *DB) present(table string, columns []string) []string {
	if len(columns) == 0 {
		return db.schema.Columns(table)
	}
	return slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return !db.schema.Has(table, c) })
}

// rows are the rows of a query for these columns.
func (db *DB) rows(ctx context.Context, verb, query string, args []any, columns []string) (out []Row, err error) {
	err = db.eachRow(ctx, verb, query, args, columns, func(r Row) { out = append(out, r) })
	return out, err
}

func (db *DB) eachRow(ctx context.Context, verb, query string, args []any, columns []string, take func(Row)) error {
	return db.each(ctx, verb, query, args, func(scan RowScanner) error {
		r, err := scanRow(scan, columns)
		if err == nil {
			take(r)
		}
		return err
	})
}

// scanRow reads the present row, which has these columns.
func scanRow(scan RowScanner, columns []string) (Row, error) {
	vals := make([]any, len(columns))
	if err := scan(pointers(vals)...); err != nil {
		return nil, err
	}
	r := make(Row, len(columns))
	for i, c := range columns {
		r[c] = vals[i]
	}
	return r, nil
}

// FitRow is the part of a row that a table of this file has columns for, and the
// names of the columns that hold something and have no place here.
func (db *DB) FitRow(table string, r Row) (fit Row, homeless []string) {
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

// CellTime is the time that a cell holds, as hosts write it.
func CellTime(cell any) Time {
	var t Time
	_ = t.Scan(cell)
	return t
}

// CellText is a cell as text; NULL is empty.
func CellText(cell any) string { return asText(cell) }

// CellInteger is a cell as a whole number; what isn't one is 0.
func CellInteger(cell any) int64 { return asInteger(cell) }
