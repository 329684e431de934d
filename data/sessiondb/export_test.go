package sessiondb

import (
	"context"
	"time"
)

// OpenFor works as Open that waits on a lock for so long.
func OpenFor(ctx context.Context, path string, wait time.Duration) (*DB, error) {
	return open(ctx, path, wait)
}

// OpenCopy works as Open for a file with a -wal in a folder in which nothing can be made.
func OpenCopy(ctx context.Context, path string) (*DB, error) {
	db := &DB{path: path}
	if err := db.readCopy(ctx, time.Second, copyWithWAL); err != nil {
		return nil, err
	}
	return db, db.identify(ctx)
}
