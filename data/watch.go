package data

import (
	"context"
	"database/sql"
	"sync"
)

// watcher asks one connection whether others have committed: SQLite's
// data_version is a property of a connection, so it must always be the same.
type watcher struct {
	pool *sql.DB
	mu   sync.Mutex
	conn *sql.Conn
	last int64
}

// Changed reports whether another program, or a write of this one, has committed
// since the last call. The first call reports false.
func (db *DB) Changed(ctx context.Context) (bool, error) {
	changed, err := db.watcher.changed(ctx)
	return changed, db.wrap("watch", err)
}

func (w *watcher) changed(ctx context.Context) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := w.conn == nil
	if first {
		conn, err := w.pool.Conn(ctx)
		if err != nil {
			return false, err
		}
		w.conn = conn
	}
	var v int64
	if err := w.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&v); err != nil {
		return false, err
	}
	changed := !first && v != w.last
	w.last = v
	return changed, nil
}

func (w *watcher) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn == nil {
		return nil
	}
	return w.conn.Close()
}
