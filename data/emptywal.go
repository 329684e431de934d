package data

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// EmptyWAL moves the -wal into the file and makes it empty. Where a reader or another checkpoint
// is in the way it tries again for so long; left is then how many pages of the -wal stay. A
// program that opens the file afterwards finds everything in it.
func (db *DB) EmptyWAL(ctx context.Context, wait time.Duration) (left int64, err error) {
	pool, err := sql.Open("sqlite", dsn(db.path, modeWrite, lockPoll, nil))
	if err != nil {
		return 0, db.Wrap("checkpoint", err)
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	for began := time.Now(); ; {
		var busy, pages, moved int64
		err := pool.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
		if err != nil && !errors.Is(ErrorKind(err), ErrLocked) {
			return 0, db.Wrap("checkpoint", err)
		}
		if err == nil && busy == 0 {
			return 0, nil
		}
		if time.Since(began) >= wait { // Pages of -1 say that another program moves them just now.
			return max(pages, 1), nil
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			return max(pages, 1), ctx.Err()
		}
	}
}
