package change

import (
	"context"
	"database/sql"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/parallel"
)

// tx is a transaction of the writer, with what it has found out in it.
type tx struct {
	*data.Tx
	db     *data.DB
	shapes map[string]insertShape // By table, that of the last row.
	// reach are the messages that can be reached from contexts, until the next change:
	// reading them again would take long under the lock.
	reach map[int64]map[int64]bool
	// ends are where contexts end, until the next change.
	ends map[int64]contextEnd

	holders *filesystem.Holders // The other processes that have the file open; nil until isAway asks.

	unfilled []searchFill // Search tables that are to be filled afterwards.
}

func txOf(db *data.DB, t *data.Tx) *tx { return &tx{Tx: t, db: db, shapes: map[string]insertShape{}} }

// bulkPragma is for a batch of many inserted rows. SQLite keeps the old pages that an INSERT of several
// rows changes, in a temporary file if they are many: each INSERT of an import would write more pages
// there than the import adds to the database. The rows of one INSERT are few, so the old pages fit in
// memory.
const bulkPragma = "PRAGMA temp_store = MEMORY"

// transactWith runs fn in one write transaction, which it commits when fn returns nil. The file is open for writing for no longer than
// that.
func transactWith(ctx context.Context, db *data.DB, how data.Transaction, fn func(*tx) error) error {
	return db.Transact(ctx, how, func(t *data.Tx) error { return fn(txOf(db, t)) })
}

// transactPrepared works as transactWith where prepare reads, before the lock, what fn needs. It runs again where
// others have written since, or whether they have the file open is otherwise.
func transactPrepared(ctx context.Context, db *data.DB, how data.Transaction, prepare, fn func(*tx) error) error {
	var seen *tx
	how.Prepare = func(t *data.Tx) error {
		seen = txOf(db, t)
		return prepare(seen)
	}
	return transactWith(ctx, db, how, func(t *tx) error {
		if seen.Tx != t.Tx && seen.holders != nil && seen.holders.Away() != isAway(t) {
			if err := prepare(t); err != nil {
				return err
			}
		}
		return fn(t)
	})
}

// snapshot runs fn on one state of the file, which fn can't write to.
func snapshot(ctx context.Context, db *data.DB, verb string, fn func(*tx) error) error {
	return db.Snapshot(ctx, verb, func(t *data.Tx) error { return fn(txOf(db, t)) })
}

// exec runs a statement that is likely to come again.
func exec(ctx context.Context, t *tx, query string, args ...any) (sql.Result, error) {
	t.reach, t.ends = nil, nil
	return t.Exec(ctx, query, args...)
}

// partTurns are transactions that take parts one after the other: each as many as it has time for, and
// no more rows than a large batch has parts for.
type partTurns struct {
	db    *data.DB
	locks []int64 // The conversations of a home whose rows change; nil is any.
	// most is how long the statements of the next turn may take.
	most time.Duration
}

func newPartTurns(db *data.DB, locks []int64) *partTurns {
	return &partTurns{db: db, locks: locks, most: maxTurnTime}
}

// run takes up to n parts in one transaction, and pauses, so that other programs can write. part takes
// the i-th of them and returns how many rows it changed. run returns how many were taken: at least one,
// or none where it fails.
func (p *partTurns) run(ctx context.Context, verb string, rules bool, n int, part func(t *tx, i int) (rows int, err error)) (taken int, err error) {
	locked, err := writeTurn(ctx, p.db, data.Transaction{Verb: verb, WithoutRules: !rules, Conversations: p.locks}, nil, func(t *tx) error {
		began, rows := time.Now(), 0
		for taken = 0; taken < n && (taken == 0 || rows < p.db.PartRows && time.Since(began) < p.most); taken++ {
			k, err := part(t, taken)
			if err != nil {
				return err
			}
			rows += k
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	p.most = nextTurnTime(p.most, locked)
	return taken, nil
}

// chunkRows returns how many rows a part has: a turn has time for several.
func chunkRows(db *data.DB) int { return max(1, db.PartRows/partsPerTurn) }

// fewPages keeps 2 MiB of pages in memory, fewer than writes do otherwise: each page takes twice its size, and with more of them
// neither a small batch nor a large one is written sooner.
const fewPages = "PRAGMA cache_size = -2048"

// writeTurn runs one transaction, which prepare prepares if it isn't nil, and then pauses for at least as long, so
// that other programs can write. It returns how long it kept the lock.
func writeTurn(ctx context.Context, db *data.DB, how data.Transaction, prepare, fn func(*tx) error) (locked time.Duration, err error) {
	var began time.Time
	// A panic is handled as an error, so that the parts written before are undone or reported.
	err = parallel.Call(func() error {
		how.First = fewPages
		timed := func(t *tx) error {
			began = time.Now()
			return fn(t)
		}
		if prepare == nil {
			return transactWith(ctx, db, how, timed)
		}
		return transactPrepared(ctx, db, how, prepare, timed)
	})
	if err != nil {
		return 0, err
	}
	locked = time.Since(began)
	select {
	case <-time.After(max(pause, locked)):
	case <-ctx.Done(): // The next transaction says so.
	}
	return locked, nil
}
