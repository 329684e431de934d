package sessiondb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/leftover"
)

// FileName is how the host calls a transcript database.
const FileName = "openclaw-agent.sqlite"

// newestSchema is the newest version of the format that files were read of.
const newestSchema = 23

const (
	walSuffix  = "-wal"
	waitOnLock = 5 * time.Second
)

// DB is one open transcript database.
type DB struct {
	path   string
	file   string // What is read: the file itself, or a private copy of it.
	copied bool
	hadWAL bool // There was a -wal when it was opened.
	pool   *sql.DB
	tables tables
	schema int // The version of its format; 0 where it doesn't say.

	mu       sync.Mutex
	warnings []error
}

// Open opens a transcript database for reading. It makes no file and changes none. Its
// errors are *Error.
func Open(ctx context.Context, path string) (*DB, error) {
	return open(ctx, path, waitOnLock)
}

func open(ctx context.Context, path string, wait time.Duration) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &Error{Path: path, Verb: "open", Kind: data.ErrMissing, Err: err}
	}
	if err := data.CheckFile(abs); err != nil {
		return nil, wrapError(abs, "open", err)
	}
	db := &DB{path: abs, file: abs, hadWAL: hasFile(abs + walSuffix)}
	if err := db.connect(ctx, wait); err != nil {
		db.removeLeftovers()
		return nil, err
	}
	if err := db.identify(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// connect opens the file: with its -wal where SQLite can, else a private copy of both. Only a
// file without a -wal, in a folder where none can be made, is opened as one that nobody
// writes: a host that has it open has a -wal.
func (db *DB) connect(ctx context.Context, wait time.Duration) error {
	err := db.dial(ctx, db.path, wait, nil)
	closed := errors.Is(err, data.ErrPermission) || errors.Is(err, data.ErrReadOnly)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, data.ErrDamaged):
		return db.dialDamaged(ctx, wait, err)
	case errors.Is(err, data.ErrUnfinished), closed && data.MayHaveHotJournal(db.path):
		return db.readCopy(ctx, wait, data.CopyRolledBack)
	case !closed || !isReadable(db.path):
		return err
	case sizeOf(db.path+walSuffix) > 0:
		return errors.Join(db.readCopy(ctx, wait, copyWithWAL))
	}
	if again := db.dial(ctx, db.path, wait, url.Values{"immutable": {"1"}}); again != nil {
		return err
	}
	return nil
}

// dialDamaged opens a file that SQLite won't open otherwise, such as one that was cut off: with
// writable_schema it doesn't insist on the page count in the header. Nothing can be written,
// since the connection is read-only.
func (db *DB) dialDamaged(ctx context.Context, wait time.Duration, cause error) error {
	busy := "busy_timeout(" + strconv.FormatInt(wait.Milliseconds(), 10) + ")"
	if db.dial(ctx, db.path, wait, url.Values{"_pragma": {busy, "writable_schema(1)", "query_only(1)"}}) != nil {
		return cause
	}
	db.warn(cause)
	return nil
}

// dial opens the pool and reads which tables there are.
func (db *DB) dial(ctx context.Context, file string, wait time.Duration, more url.Values) error {
	q := url.Values{"mode": {"ro"}, "_pragma": {
		"busy_timeout(" + strconv.FormatInt(wait.Milliseconds(), 10) + ")", "query_only(1)", "cache_size(-2048)",
	}}
	for k, v := range more {
		q[k] = v
	}
	pool, err := sql.Open("sqlite", data.FileURI(file, q.Encode()))
	if err != nil {
		return db.wrap("open", err)
	}
	pool.SetMaxOpenConns(2)
	pool.SetMaxIdleConns(2)
	t, err := readTables(ctx, pool)
	if err != nil {
		return errors.Join(db.wrap("open", err), pool.Close())
	}
	db.pool, db.tables, db.file = pool, t, file
	return nil
}

// readCopy reads a private copy in the place of the file.
func (db *DB) readCopy(ctx context.Context, wait time.Duration, makeCopy func(context.Context, string) (string, error)) error {
	if inUse.has(db.path) { // Closing an ordinary handle would drop the locks of the other one.
		return &Error{Path: db.path, Verb: "open", Kind: data.ErrUnfinished, Err: errors.New("it is open in this program already")}
	}
	copied, err := makeCopy(ctx, db.path)
	if err != nil {
		return db.wrap("open", err)
	}
	if err := db.dial(ctx, copied, wait, nil); err != nil {
		return errors.Join(err, leftover.RemoveFolder(filepath.Dir(copied)))
	}
	db.copied = true
	db.warn(errors.New("the database can't be read where it lies, so a private copy of it is read: what the host writes from now on is not seen"))
	return nil
}

// identify refuses what isn't a transcript database, and warns of a newer one.
func (db *DB) identify(ctx context.Context) error {
	inUse.add(db.file)
	if err := db.readInfo(ctx); err != nil {
		return err
	}
	if db.schema > newestSchema {
		db.warn(fmt.Errorf("the database has version %d of its format, and version %d is the newest that is known: it is read as far as its columns are known", db.schema, newestSchema))
	}
	return nil
}

// Close closes the database.
func (db *DB) Close() error {
	err := db.pool.Close()
	inUse.remove(db.file)
	if db.copied {
		return errors.Join(err, leftover.RemoveFolder(filepath.Dir(db.file)))
	}
	db.removeLeftovers()
	return err
}

// removeLeftovers removes the empty -wal and the -shm that reading a database in WAL mode
// leaves beside it, if no -wal was there before. SQLite does it itself, under its locks and
// only when nobody else has the file open, as a connection that could write is closed.
func (db *DB) removeLeftovers() {
	wal := db.path + walSuffix
	if db.copied || db.hadWAL || !hasFile(wal) || sizeOf(wal) > 0 || inUse.has(db.path) {
		return
	}
	pool, err := sql.Open("sqlite", data.FileURI(db.path, "mode=rw"))
	if err != nil {
		return
	}
	_ = pool.QueryRowContext(context.Background(), "PRAGMA schema_version").Scan(new(int64)) // Attaches to the -wal.
	_ = pool.Close()
}

// Path returns the absolute path of the file.
func (db *DB) Path() string { return db.path }

// Warnings returns what went wrong so far without stopping a read, in order.
func (db *DB) Warnings() []error {
	db.mu.Lock()
	defer db.mu.Unlock()
	return slices.Clone(db.warnings)
}

// warn keeps err, once, for Warnings.
func (db *DB) warn(err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if !slices.ContainsFunc(db.warnings, func(o error) bool { return o.Error() == err.Error() }) {
		db.warnings = append(db.warnings, err)
	}
}

func hasFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// sizeOf returns the size of a file in bytes, 0 where there is none.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// isReadable asks for the permission bits only: it must not open the file.
func isReadable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o444 != 0
}
