package data

import (
	"context"
	"database/sql"
)

// tx is a transaction of the writer, with what it has found out in it.
type tx struct {
	*Tx
	db     *DB
	shapes map[string]insertShape // By table, that of the last row.
	// reach are the messages that can be reached from contexts, until the next change:
	// reading them again would take long under the lock.
	reach map[int64]map[int64]bool

	holders *Holders // The other processes that have the file open; nil until isAway asks.

	unfilled []searchFill // Search tables that are to be filled afterwards.
}

func (db *DB) txOf(t *Tx) *tx { return &tx{Tx: t, db: db, shapes: map[string]insertShape{}} }

// write runs fn in one write transaction, which it commits when fn returns nil.
// The file is open for writing for no longer than that.
func (db *DB) write(ctx context.Context, verb string, fn func(*tx) error) error {
	return db.writeBy(ctx, verb, true, fn)
}

// bulkPragma is for a batch of many inserted rows. SQLite keeps the old pages that an INSERT of several
// rows changes, in a temporary file if they are many: each INSERT of an import would write more pages
// there than the import adds to the database. The rows of one INSERT are few, so the old pages fit in
// memory.
const bulkPragma = "PRAGMA temp_store = MEMORY"

// writeBy is write, with the schema's rules enforced or not.
func (db *DB) writeBy(ctx context.Context, verb string, rules bool, fn func(*tx) error) error {
	return db.transactWith(ctx, Transaction{Verb: verb, WithoutRules: !rules}, fn)
}

// transactWith is write with what the transaction needs.
func (db *DB) transactWith(ctx context.Context, how Transaction, fn func(*tx) error) error {
	return db.Transact(ctx, how, func(t *Tx) error { return fn(db.txOf(t)) })
}

// snapshot runs fn on one state of the file, which fn can't write to.
func (db *DB) snapshot(ctx context.Context, verb string, fn func(*tx) error) error {
	return db.Snapshot(ctx, verb, func(t *Tx) error { return fn(db.txOf(t)) })
}

// exec runs a statement that is likely to come again.
func (t *tx) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	t.reach = nil
	return t.Exec(ctx, query, args...)
}
