package data

import (
	"context"
	"database/sql"
	"errors"
	"slices"
)

// ErrEndRows is what the function that EachRow calls returns: it ends the reading without an error.
var ErrEndRows = errors.New("stop")

// EachRow runs a query of a package below data, and calls fn with every row. Damage of the
// file is an error here, so that the caller can look for the rows in another way. A context
// that ends interrupts SQLite until the first row, and is seen between rows.
func (db *DB) EachRow(ctx context.Context, verb, query string, args []any, fn func(RowScanner) error) error {
	return db.Wrap(verb, EachRow(ctx, db.readers, query, args, fn))
}

// Warn keeps err, once, for Warnings: what a search found isn't all that the file holds.
func (db *DB) Warn(err error) { db.warn(err) }

// Reader is one more connection for reading, with temporary tables of its own in memory, such
// as the vocabulary of a search table. A long statement on it keeps nobody else waiting. It has
// to be closed before the database.
type Reader struct {
	db   *DB
	pool *sql.DB
}

// OpenReader opens a connection that runs these statements first: they may make temporary
// tables and nothing else.
func (db *DB) OpenReader(ctx context.Context, statements ...string) (*Reader, error) {
	first := append([]string{"PRAGMA temp_store = MEMORY"}, db.schema.standInViews()...)
	pool, err := openPool(db.dsn(db.readerExtra), slices.Concat(first, statements), db.sameFile)
	if err != nil {
		return nil, db.Wrap("open", err)
	}
	pool.SetMaxOpenConns(1)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(db.Wrap("open", err), pool.Close())
	}
	return &Reader{db, pool}, nil
}

// EachRow is DB.EachRow on this connection.
func (r *Reader) EachRow(ctx context.Context, verb, query string, args []any, fn func(RowScanner) error) error {
	return r.db.Wrap(verb, EachRow(ctx, r.pool, query, args, fn))
}

// Close closes the connection.
func (r *Reader) Close() error { return r.pool.Close() }
