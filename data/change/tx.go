package change

import (
	"context"
	"database/sql"

	"lcm-tui/data"
	"lcm-tui/internal/filesystem"
)

// tx is a transaction of the writer, with what it has found out in it.
type tx struct {
	*data.Tx
	db     *data.DB
	shapes map[string]insertShape // By table, that of the last row.
	// reach are the messages that can be reached from contexts, until the next change:
	// reading them again would take long under the lock.
	reach map[int64]map[int64]bool

	holders *filesystem.Holders // The other processes that have the file open; nil until isAway asks.

	unfilled []searchFill // Search tables that are to be filled afterwards.
}

func txOf(db *data.DB, t *data.Tx) *tx { return &tx{Tx: t, db: db, shapes: map[string]insertShape{}} }

// write runs fn in one write transaction, which it commits when fn returns nil.
// The file is open for writing for no longer than that.
func write(ctx context.Context, db *data.DB, verb string, fn func(*tx) error) error {
	return writeBy(ctx, db, verb, true, fn)
}

// bulkPragma is for a batch of many inserted rows. SQLite keeps the old pages that an INSERT of several
// rows changes, in a temporary file if they are many: each INSERT of an import would write more pages
// there than the import adds to the database. The rows of one INSERT are few, so the old pages fit in
// memory.
const bulkPragma = "PRAGMA temp_store = MEMORY"

// writeBy is write, with the schema's rules enforced or not.
func writeBy(ctx context.Context, db *data.DB, verb string, rules bool, fn func(*tx) error) error {
	return transactWith(ctx, db, data.Transaction{Verb: verb, WithoutRules: !rules}, fn)
}

// transactWith is write with what the transaction needs.
func transactWith(ctx context.Context, db *data.DB, how data.Transaction, fn func(*tx) error) error {
	return db.Transact(ctx, how, func(t *data.Tx) error { return fn(txOf(db, t)) })
}

// snapshot runs fn on one state of the file, which fn can't write to.
func snapshot(ctx context.Context, db *data.DB, verb string, fn func(*tx) error) error {
	return db.Snapshot(ctx, verb, func(t *data.Tx) error { return fn(txOf(db, t)) })
}

// exec runs a statement that is likely to come again.
func exec(ctx context.Context, t *tx, query string, args ...any) (sql.Result, error) {
	t.reach = nil
	return t.Exec(ctx, query, args...)
}
