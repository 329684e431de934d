package data

import (
	"context"
	"database/sql"
	"errors"
)

// querier is what a pool, a connection and a transaction share.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// RowScanner reads the present row of a query into these places.
type RowScanner func(dest ...any) error

// errStop ends each early without an error.
var errStop = errors.New("stop")

// EachRow runs a query and calls fn with every row, on a pool or connection of the
// caller's own. It is for data/salvage, whose files are no lcm.db yet.
func EachRow(ctx context.Context, q querier, query string, args []any, fn func(RowScanner) error) error {
	return each(ctx, q, query, args, fn)
}

// each runs a query and calls fn with every row.
func each(ctx context.Context, q querier, query string, args []any, fn func(RowScanner) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			if errors.Is(err, errStop) {
				return nil
			}
			return err
		}
	}
	return rows.Err()
}

// collect reads the rows of a query. Of a damaged file it returns the rows that
// could be read, and warns, so that one bad page doesn't hide the rest.
func collect[T any](ctx context.Context, db *DB, verb, query string, args []any, fn func(RowScanner, *T) error) ([]T, error) {
	var out []T
	err := db.each(ctx, verb, query, args, func(scan RowScanner) error {
		var v T
		if err := fn(scan, &v); err != nil {
			return err
		}
		out = append(out, v)
		return nil
	})
	return out, err
}

// each is the package's each on db's readers, with the same tolerance as collect.
func (db *DB) each(ctx context.Context, verb, query string, args []any, fn func(RowScanner) error) error {
	_, err := db.eachWhole(ctx, verb, query, args, fn)
	return err
}

// eachWhole is each, and reports whether no damage kept it from the last row.
func (db *DB) eachWhole(ctx context.Context, verb, query string, args []any, fn func(RowScanner) error) (whole bool, err error) {
	err = db.wrap(verb, each(ctx, db.readers, query, args, fn))
	if errors.Is(err, ErrDamaged) {
		db.warn(err)
		db.cutShort(query)
		return false, nil
	}
	return err == nil, err
}

// one reads a single row; ok is false when there is none.
func (db *DB) one(ctx context.Context, verb, query string, args []any, dest ...any) (ok bool, err error) {
	err = db.each(ctx, verb, query, args, func(scan RowScanner) error {
		ok = true
		if err := scan(dest...); err != nil {
			return err
		}
		return errStop
	})
	return ok, err
}
