package data

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// rowQuery asks for rows of one table in a way that damage to some of its pages
// doesn't end: an index tells which rows there are, and each can be read by its number.
type rowQuery struct {
	selected string // The columns.
	from     string // The table, with joins.
	number   string // The number of a row, such as m.rowid.
	where    string // What an index answers.
	args     []any
	also     string // A condition that needs the row, or empty.
	alsoArgs []any
	order    string // Of the rows.
	keyOrder string // The same as far as an index has it, or empty.
	limit    int    // 0 is all.
}

// sql is the query for all rows at once.
func (q rowQuery) sql() (query string, args []any) {
	query, args = "SELECT "+q.selected+" FROM "+q.from+" WHERE "+q.where+q.and(), slices.Concat(q.args, q.alsoArgs)
	if q.order != "" {
		query += " ORDER BY " + q.order
	}
	if q.limit > 0 {
		query += " LIMIT " + strconv.Itoa(q.limit)
	}
	return query, args
}

func (q rowQuery) and() string {
	if q.also == "" {
		return ""
	}
	return " AND " + q.also
}

// keys is the query for the numbers of the rows.
func (q rowQuery) keys() string {
	table, _, _ := strings.Cut(q.from, " LEFT JOIN ")
	query := "SELECT " + q.number + " FROM " + table + " WHERE " + q.where
	if q.keyOrder != "" {
		query += " ORDER BY " + q.keyOrder
	}
	return query
}

// row is the query for one row.
func (q rowQuery) row(number any) (query string, args []any) {
	return "SELECT " + q.selected + " FROM " + q.from + " WHERE " + q.number + " = ?" + q.and(), slices.Concat([]any{number}, q.alsoArgs)
}

// collectRows is collect for rows of one table. Where that meets damage, it reads them
// one by one and leaves out only those that can't be read; lost, if it isn't nil, is
// given their numbers.
func collectRows[T any](ctx context.Context, db *DB, verb string, q rowQuery, lost func(number any) (T, bool), fn func(RowScanner, *T) error) ([]T, error) {
	var out []T
	add := func(scan RowScanner) error {
		var v T
		err := fn(scan, &v)
		if err == nil {
			out = append(out, v)
		}
		return err
	}
	query, args := q.sql()
	if whole, err := db.eachWhole(ctx, verb, query, args, add); whole || err != nil {
		return out, err
	}
	out = nil
	numbers, err := db.numbers(ctx, verb, q)
	for _, n := range numbers {
		if err != nil || q.limit > 0 && len(out) == q.limit {
			break
		}
		var whole bool
		query, args := q.row(n)
		whole, err = db.eachWhole(ctx, verb, query, args, add)
		if !whole && err == nil && lost != nil {
			if v, ok := lost(n); ok {
				out = append(out, v)
			}
		}
	}
	return out, err
}

// numbers are the numbers of the rows that a query asks for, as far as an index tells.
func (db *DB) numbers(ctx context.Context, verb string, q rowQuery) ([]any, error) {
	return collect(ctx, db, verb, q.keys(), q.args, func(scan RowScanner, n *any) error { return scan(n) })
}
