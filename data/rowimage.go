package data

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// Images reads the rows of a table that have these values, or all of them where none
// is given, whole, as they stand, for a plan to change: in the order of the table's
// key. No row has a value in a column that the table lacks.
func Images(ctx context.Context, q Querier, table string, where Row) ([]Row, error) {
	columns := q.Schema().Columns(table)
	if len(columns) == 0 || !q.Schema().Has(table, slices.Collect(maps.Keys(where))...) {
		return nil, nil
	}
	cond, args := "", []any(nil)
	if len(where) > 0 {
		cond, args = WhereSQL(where)
	}
	query := "SELECT " + QuoteAll(columns) + " FROM " + QuoteName(table) + cond
	if key := q.Schema().Key(table); len(key) > 0 {
		query += " ORDER BY " + QuoteAll(key)
	}
	return readRows(ctx, q, "read "+table, query, args, columns)
}

// EachImage calls take with the rows of a table in which a column has one of many values, with
// these columns, or whole where none are named. Rows of one value aren't separated by rows of
// another.
func EachImage(ctx context.Context, q Querier, table, column string, values []any, take func(Row), columns ...string) error {
	if columns = presentColumns(q, table, columns); len(columns) == 0 || !q.Schema().Has(table, column) {
		return nil
	}
	key, order := q.Schema().Key(table), ""
	if len(key) > 0 {
		order = " ORDER BY " + QuoteAll(key)
	}
	in := wantedRows
	if slices.Equal(key, []string{column}) {
		in = wantedRowsByKey
	}
	for chunk := range slices.Chunk(values, MaxArgs) {
		query := "SELECT " + QuoteAll(columns) + " FROM " + in(table, column, len(chunk)) + order
		if err := scanRows(ctx, q, "read "+table, query, chunk, columns, take); err != nil {
			return err
		}
	}
	return nil
}

// wantedRows returns the rows of a table in which a column has one of n values, as the end of a
// SELECT.
func wantedRows(table, column string, n int) string {
	return QuoteName(table) + " WHERE " + QuoteName(column) + " IN (" + Marks(n) + ")"
}

// wantedRowsByKey works as wantedRows for the column that is the key of the table. It looks up every
// value: statistics that a host made when the table was small would have SQLite read the whole
// table for each statement.
func wantedRowsByKey(table, column string, n int) string {
	values := "VALUES (?)" + strings.Repeat(", (?)", n-1)
	return "(SELECT DISTINCT column1 AS wanted_key FROM (" + values + ")) CROSS JOIN " + QuoteName(table) + " ON " + QuoteName(column) + " = wanted_key"
}

// ImagesIn returns all rows of EachImage at once.
func ImagesIn(ctx context.Context, q Querier, table, column string, values []any, columns ...string) (out []Row, err error) {
	err = EachImage(ctx, q, table, column, values, func(r Row) { out = append(out, r) }, columns...)
	return out, err
}

// presentColumns returns those of the columns that the table has; all of its own for none.
func presentColumns(q Querier, table string, columns []string) []string {
	if len(columns) == 0 {
		return q.Schema().Columns(table)
	}
	return slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return !q.Schema().Has(table, c) })
}

// readRows returns the rows of a query for these columns.
func readRows(ctx context.Context, q Querier, verb, query string, args []any, columns []string) (out []Row, err error) {
	err = scanRows(ctx, q, verb, query, args, columns, func(r Row) { out = append(out, r) })
	return out, err
}

// scanRows calls take with the rows of a query for these columns.
func scanRows(ctx context.Context, q Querier, verb, query string, args []any, columns []string, take func(Row)) error {
	return Each(ctx, q, verb, query, args, func(scan RowScanner) error {
		r, err := ScanRow(scan, columns)
		if err == nil {
			take(r)
		}
		return err
	})
}

// ScanRow reads the present row, which has these columns.
func ScanRow(scan RowScanner, columns []string) (Row, error) {
	vals := make([]any, len(columns))
	if err := scan(Pointers(vals)...); err != nil {
		return nil, err
	}
	r := make(Row, len(columns))
	for i, c := range columns {
		r[c] = vals[i]
	}
	return r, nil
}

// FitRow returns the part of a row that a table of this file has columns for, and the
// names of the columns that hold something and have no place here.
func FitRow(q Querier, table string, r Row) (fit Row, lacking []string) {
	if fit, ok := fitSparse(q, table, r); ok {
		return fit, nil
	}
	fit = make(Row, r.Width())
	for column, v := range r.whole() {
		switch {
		case q.Schema().Has(table, column):
			fit[column] = v
		case v != nil:
			lacking = append(lacking, column)
		}
	}
	slices.Sort(lacking)
	return fit, lacking
}

// ColumnValues reads the values, other than NULL, that a column has in the rows of a
// conversation.
func ColumnValues(ctx context.Context, q Querier, table, column string, conv int64) (map[string]bool, error) {
	out := map[string]bool{}
	if !q.Schema().Has(table, column, "conversation_id") {
		return out, nil
	}
	query := "SELECT " + QuoteName(column) + " FROM " + QuoteName(table) + " WHERE conversation_id = ? AND " + QuoteName(column) + " IS NOT NULL"
	err := Each(ctx, q, "read "+table, query, []any{conv}, func(scan RowScanner) error {
		var v Text
		err := scan(&v)
		out[string(v)] = true
		return err
	})
	return out, err
}

// DanglingRows reads the rows of a table, whole, that name a row of another which doesn't
// exist.
func DanglingRows(ctx context.Context, q Querier, table, column, other, key string) ([]Row, error) {
	if !q.Schema().Has(table, column) || !q.Schema().Has(other, key) {
		return nil, nil
	}
	columns := q.Schema().Columns(table)
	query := "SELECT " + QuoteAll(columns) + " FROM " + QuoteName(table) + " t WHERE t." + QuoteName(column) + " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM " +
		QuoteName(other) + " o WHERE o." + QuoteName(key) + " = t." + QuoteName(column) + ")"
	return readRows(ctx, q, "read "+table, query, nil, columns)
}

// MaxValue returns the highest value of a whole-number column, or 0.
func MaxValue(ctx context.Context, q Querier, table, column string) (n int64, err error) {
	if !q.Schema().Has(table, column) {
		return 0, nil
	}
	_, err = One(ctx, q, "read "+table, "SELECT coalesce(max("+QuoteName(column)+"), 0) FROM "+QuoteName(table), nil, (*Integer)(&n))
	return n, err
}
