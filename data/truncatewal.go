package data

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// truncateWAL empties the -wal where nobody is in the way: it waits for no other program, since
// writers would wait with it. What stays is emptied after a later turn.
func (db *DB) truncateWAL(ctx context.Context) error {
	pool, err := sql.Open("sqlite", dsn(db.path, modeWrite, time.Millisecond, nil))
	if err != nil {
		return db.wrap("checkpoint", err)
	}
	err = pool.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(new(int64), new(int64), new(int64))
	if errors.Is(ErrorKind(err), ErrLocked) {
		err = nil
	}
	return errors.Join(db.wrap("checkpoint", err), pool.Close())
}
