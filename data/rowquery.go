package data

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// RowQuery asks for rows of one table in a way that damage to some of its pages
// doesn't end: an index tells which rows there are, and each can be read by its number.
type RowQuery struct {
	Selected string // The columns.
	From     string // The table, with joins.
	Number   string // The number of a row, such as m.rowid.
	Where    string // What an index answers.
	Args     []any
	Also     string // A condition that needs the row, or empty.
	AlsoArgs []any
	Order    string // Of the rows.
	KeyOrder string // The same as far as an index has it, or empty.
	Limit    int    // 0 is all.
}

// sql returns the query for all rows at once.
func (q RowQuery) sql() (query string, args []any) {
	query, args = "SELECT "+q.Selected+" FROM "+q.From+" WHERE "+q.Where+q.and(), slices.Concat(q.Args, q.AlsoArgs)
	if q.Order != "" {
		query += " ORDER BY " + q.Order
	}
	if q.Limit > 0 {
		query += " LIMIT " + strconv.Itoa(q.Limit)
	}
	return query, args
}

func (q RowQuery) and() string {
	if q.Also == "" {
		return ""
	}
	return " AND " + q.Also
}

// keys returns the query for the numbers of the rows.
func (q RowQuery) keys() string {
	table, _, _ := strings.Cut(q.From, " LEFT JOIN ")
	query := "SELECT " + q.Number + " FROM " + table + " WHERE " + q.Where
	if q.KeyOrder != "" {
		query += " ORDER BY " + q.KeyOrder
	}
	return query
}

// row returns the query for one row.
func (q RowQuery) row(number any) (query string, args []any) {
	return "SELECT " + q.Selected + " FROM " + q.From + " WHERE " + q.Number + " = ?" + q.and(), slices.Concat([]any{number}, q.AlsoArgs)
}

// CollectRows works as Collect for rows of one table. Where that meets damage, it reads them
// one by one and leaves out only those that can't be read; lost, if it isn't nil, is
// given their numbers.
func CollectRows[T any](ctx context.Context, from Querier, verb string, q RowQuery, lost func(number any) (T, bool), fn func(RowScanner, *T) error) ([]T, error) {
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
	if whole, err := from.Query(ctx, verb, query, args, add); whole || err != nil {
		return out, err
	}
	out = nil
	keys, err := numbers(ctx, from, verb, q)
	for _, n := range keys {
		if err != nil || q.Limit > 0 && len(out) == q.Limit {
			break
		}
		var whole bool
		query, args := q.row(n)
		whole, err = from.Query(ctx, verb, query, args, add)
		if !whole && err == nil && lost != nil {
			if v, ok := lost(n); ok {
				out = append(out, v)
			}
		}
	}
	return out, err
}

// numbers returns the numbers of the rows that a query asks for, as far as an index tells.
func numbers(ctx context.Context, from Querier, verb string, q RowQuery) ([]any, error) {
	return Collect(ctx, from, verb, q.keys(), q.Args, func(scan RowScanner, n *any) error { return scan(n) })
}
