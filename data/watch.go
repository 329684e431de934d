package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// watcher asks one connection whether others have committed: SQLite's
// data_version is a property of a connection, so it must always be the same.
type watcher struct {
	pool   *sql.DB
	mu     sync.Mutex
	conn   *sql.Conn
	last   int64
	looked bool  // Last is known: Changed was called before.
	size   int64 // Of the file and its -wal when they were looked at last, in bytes.
}

// Changed reports whether another program, or a write of this one, has committed
// since the last call. The first call reports false. It fails as CheckPath does where the
// file was deleted, replaced or emptied, and with ErrCutOff where a part of it is missing.
func (db *DB) Changed(ctx context.Context) (bool, error) {
	if db.replica != nil {
		changed, err := db.watcher.changed(ctx, db.replica)
		return changed, db.Wrap("watch", err)
	}
	if err := db.CheckPath(); err != nil {
		return false, err
	}
	changed, err := db.watcher.changed(ctx, nil)
	if err == nil || errors.Is(ErrorKind(err), ErrDamaged) {
		if cut := db.watcher.cutOff(ctx, db.Size(), err); cut != nil {
			return false, &Error{Path: db.path, Verb: "watch", Kind: ErrCutOff, Err: cut}
		}
	}
	return changed, db.Wrap("watch", err)
}

// cutOff says why the file, which has so many bytes together with its -wal, can't be whole:
// it has become smaller, and SQLite finds it damaged or counts more pages than there is room
// for. SQLite itself makes a file smaller, too.
func (w *watcher) cutOff(ctx context.Context, size int64, damage error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	smaller := size < w.size
	if damage != nil {
		if smaller {
			return damage
		}
		return nil
	}
	if smaller {
		var pages, pageSize int64
		for query, to := range map[string]*int64{"PRAGMA page_count": &pages, "PRAGMA page_size": &pageSize} {
			if err := w.conn.QueryRowContext(ctx, query).Scan(to); err != nil {
				return nil // The next read says so.
			}
		}
		if size < pages*pageSize {
			return fmt.Errorf("%d bytes are there of %d", size, pages*pageSize)
		}
	}
	w.size = size
	return nil
}

func (w *watcher) changed(ctx context.Context, of *Replica) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := !w.looked
	v, err := w.version(ctx, of)
	if err != nil {
		return false, err
	}
	changed := !first && v != w.last
	w.last, w.looked = v, true
	return changed, nil
}

// version reads data_version on the watcher's connection, whose lock the caller holds, or the revision of a replica.
func (w *watcher) version(ctx context.Context, of *Replica) (int64, error) {
	if of != nil {
		return of.Revision(ctx)
	}
	if w.conn == nil {
		conn, err := w.pool.Conn(ctx)
		if err != nil {
			return 0, err
		}
		w.conn = conn
	}
	return DataVersion(ctx, w.conn)
}

// Version returns a number that is another one after every commit of any program. Two readings on
// the same handle tell whether anything was written between them; Changed is not concerned.
func (db *DB) Version(ctx context.Context) (int64, error) {
	w := db.watcher
	w.mu.Lock()
	defer w.mu.Unlock()
	v, err := w.version(ctx, db.replica)
	return v, db.Wrap("watch", err)
}

// SchemaVersion returns a number that is another one after every change of the file's tables, such as
// a host's migration. What this handle knows of the tables stays as it was when it was opened.
func (db *DB) SchemaVersion(ctx context.Context) (v int64, err error) {
	w := db.watcher
	w.mu.Lock()
	defer w.mu.Unlock()
	version, err := w.version(ctx, db.replica) // Takes the connection.
	if err != nil || db.replica != nil {
		return version, db.Wrap("watch", err)
	}
	err = w.conn.QueryRowContext(ctx, "PRAGMA schema_version").Scan(&v)
	return v, db.Wrap("watch", err)
}

func (w *watcher) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn == nil {
		return nil
	}
	conn := w.conn
	w.conn = nil // The database may be closed twice.
	return conn.Close()
}

// DataVersion returns a number of a connection that another one's write changes.
func DataVersion(ctx context.Context, conn *sql.Conn) (v int64, err error) {
	err = conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&v)
	return v, err
}
