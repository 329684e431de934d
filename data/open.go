package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"lcm-tui/data/pages"
)

// DB is one open database file.
type DB struct {
	openedFile
	damage

	closed  func() // Notes that the file isn't open any more.
	readers *sql.DB
	watcher *watcher
	schema  *Schema
	kind    Kind

	// Now is the clock and NewID the source of new ids' 16 hexadecimal digits.
	// Tests set them.
	Now   func() time.Time
	NewID func() string
	// Wait is how long a write waits for other programs' locks.
	Wait time.Duration
	// readWait is how long a read waits for other programs' locks.
	readWait time.Duration

	// Step is called when a write has come so far; tests stop there.
	Step func(name string)
	// PartRows is how many rows are written in one transaction, of many. Tests set it.
	PartRows int
	// WriterParameters are more parameters of the writing connection. Tests set them.
	WriterParameters url.Values

	immutable   bool // Opened without locks and without its -wal.
	hadWAL      bool // There was a -wal when it was opened.
	wrote       atomic.Bool
	readerExtra url.Values // More parameters of the reading connections.
}

const (
	// ReaderConns is how many connections read the file.
	ReaderConns = 3
	lockWait    = 10 * time.Second // For other programs' locks, of reads and writes.
	// WALSuffix is what the name of the write-ahead log has behind that of the file.
	WALSuffix    = "-wal"
	modeReadOnly = "ro"
	modeWrite    = "rw"
)

// Open opens the file at path for reading. It never creates a file and never
// changes one, whatever its journal mode. Its errors are *Error.
//
// A path may be the address of a replica, if the program has what opens these.
func Open(ctx context.Context, path string) (*DB, error) { return open(ctx, path, lockWait) }

// OpenWaiting works as Open for reads that wait so long, and no longer, for other programs' locks.
func OpenWaiting(ctx context.Context, path string, wait time.Duration) (*DB, error) {
	return open(ctx, path, wait)
}

// OpenImmutable works as Open for a file that nobody writes, such as a backup: nothing is locked, and
// nothing is made beside it. Its -wal isn't read.
func OpenImmutable(ctx context.Context, path string) (*DB, error) {
	return openBy(path, lockWait, func(db *DB) error {
		db.immutable, db.hadWAL = true, true
		return db.openReaders(ctx, url.Values{"immutable": {"1"}})
	})
}

// open works as Open for reads that wait so long for other programs' locks.
func open(ctx context.Context, path string, readWait time.Duration) (*DB, error) {
	if replicas.isAddress != nil && replicas.isAddress(path) {
		return replicas.open(ctx, path)
	}
	return openBy(path, readWait, func(db *DB) error { return db.connect(ctx) })
}

// openBy opens a file as open does, with the connecting given.
func openBy(path string, readWait time.Duration, connect func(db *DB) error) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &Error{Path: path, Verb: "open", Kind: ErrMissing, Err: err}
	}
	if err := CheckFile(abs); err != nil {
		return nil, err
	}
	db := &DB{
		openedFile: openedFile{path: abs, file: abs},
		Now:        time.Now, NewID: randomID, Wait: lockWait, readWait: readWait, PartRows: MaxPartRows,
	}
	if db.opened, err = os.Stat(abs); err != nil {
		return nil, &Error{Path: abs, Verb: "open", Kind: ErrMissing, Err: err}
	}
	db.Holders = db.findHolders
	_, db.isOthers = CopyOf(abs)
	if err := connect(db); err != nil {
		db.removeLeftovers()
		return nil, err
	}
	db.closed = openHandles.add(db.file)
	if err := db.detectKind(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Reopen opens the path again, for a file that was replaced, cut off or put back, with the
// same clock, ids and waits. The old handle stays open: its owner closes it.
func (db *DB) Reopen(ctx context.Context) (*DB, error) {
	if err := db.needsFile("open again"); err != nil {
		return nil, err
	}
	again, err := Open(ctx, db.path)
	if err != nil {
		return nil, err
	}
	again.Now, again.NewID, again.Wait, again.Holders, again.PartRows = db.Now, db.NewID, db.Wait, db.Holders, db.PartRows
	return again, nil
}

// CheckFile tells from the file's metadata alone why it can't be a database.
func CheckFile(path string) error {
	fail := func(kind, err error) error { return &Error{Path: path, Verb: "open", Kind: kind, Err: err} }
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fail(ErrPermission, err)
	case err != nil:
		return fail(ErrMissing, err)
	case info.IsDir():
		return fail(ErrDirectory, nil)
	case !info.Mode().IsRegular():
		return fail(ErrNotSQLite, nil)
	case info.Size() == 0 && !hasWAL(path):
		return fail(ErrEmpty, nil)
	}
	return nil
}

// HasFile reports whether something stands at the path.
func HasFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func hasWAL(path string) bool {
	info, err := os.Stat(path + WALSuffix)
	return err == nil && info.Size() > 0
}

// connect opens the readers. Where SQLite can't, because the folder is read-only
// and it has to make a -shm beside a database in WAL mode, it opens the file as
// one that nobody writes.
func (db *DB) connect(ctx context.Context) error {
	db.hadWAL = HasFile(db.path + WALSuffix)
	err := db.openReadersOfDamaged(ctx)
	closed := errors.Is(err, ErrPermission) || errors.Is(err, ErrReadOnly)
	switch {
	case errors.Is(err, ErrUnfinished), closed && MayHaveHotJournal(db.path):
		return db.readRolledBack(ctx)
	case !closed || !readable(db.path):
		return err
	}
	if db.openReaders(ctx, url.Values{"immutable": {"1"}}) != nil {
		return err
	}
	db.immutable = true
	if hasWAL(db.path) {
		db.Warn(&Error{
			Path: db.path, Verb: "read the -wal of", Kind: ErrPermission,
			hint: "the newest changes are in the -wal file and are not shown: make the folder writable, or copy all three files elsewhere",
		})
	}
	return nil
}

// openDamaged reads what is left of a file that SQLite won't open, such as one
// that was cut off: with writable_schema it doesn't insist on the page count in
// the header. Nothing can be written, since the connection is read-only.
func (db *DB) openDamaged(ctx context.Context, cause error) error {
	cut := ""
	if !openHandles.has(db.file) { // Another handle of this process would lose its locks.
		cut = cutOff(db.file)
	}
	more := url.Values{"immutable": {"1"}, "_pragma": {"writable_schema(1)", "query_only(1)"}}
	if db.openReaders(ctx, more) != nil {
		return cause
	}
	var e *Error
	if cut != "" && errors.As(cause, &e) {
		e.hint = cut + "; lcm-tui salvage DAMAGED NEW saves what is left; or restore a backup"
	}
	db.Warn(cause)
	return nil
}

// cutOff says how much is missing of a file that is shorter than its header says, or is
// empty. Nothing of this process may have the file open.
func cutOff(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	p, err := pages.Open(f, info.Size(), nil)
	if err != nil {
		return ""
	}
	is, should := info.Size(), p.Declared()
	if should <= is {
		return ""
	}
	return fmt.Sprintf("the file is cut off: %d of %d bytes are missing, %d%%", should-is, should, (should-is)*100/should)
}

// readable asks for the permission bits only: it must not open the file.
func readable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o444 != 0
}

// openReaders opens the pool of readers and probes the schema.
func (db *DB) openReaders(ctx context.Context, more url.Values) error {
	pool, err := openPool(db.dsn(more), nil, db.sameFile)
	if err != nil {
		return db.Wrap("open", err)
	}
	s, err := Probe(ctx, pool)
	if err == nil {
		err = pool.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&db.journal)
	}
	if err != nil {
		return errors.Join(db.Wrap("open", err), pool.Close())
	}
	if statements := s.standInViews(); len(statements) > 0 {
		if err := pool.Close(); err != nil {
			return db.Wrap("open", err)
		}
		if pool, err = openPool(db.dsn(more), statements, db.sameFile); err != nil {
			return db.Wrap("open", err)
		}
	}
	pool.SetMaxOpenConns(ReaderConns)
	pool.SetMaxIdleConns(ReaderConns)
	db.readers, db.schema, db.readerExtra = pool, s, more
	db.watcher = &watcher{pool: pool}
	return nil
}

// dsn names the file for reading.
func (db *DB) dsn(more url.Values) string { return dsn(db.file, modeReadOnly, db.readWait, more) }

// dsn names the file to the driver. Pragmas stand in it because one that is run
// by Exec reaches only one connection of the pool.
func dsn(path, mode string, wait time.Duration, more url.Values) string {
	q := url.Values{"mode": {mode}, "_pragma": {"busy_timeout(" + CellText(wait.Milliseconds()) + ")", "foreign_keys(1)"}}
	if mode == modeReadOnly {
		q["_pragma"] = append(q["_pragma"], "query_only(1)", "cache_size(-512)")
	} else {
		// A page that doesn't fit in is written, and read again for the next row.
		q["_pragma"] = append(q["_pragma"], "cache_size(-32768)")
		q.Set("_txlock", "immediate")
	}
	for k, v := range more {
		q[k] = v
	}
	return FileURI(path, q.Encode())
}

// FileURI names a file to SQLite, with these parameters, which may be empty. The
// path is absolute; whatever
// characters are in it, they are escaped.
func FileURI(path, parameters string) string {
	slash := filepath.ToSlash(path)
	if !strings.HasPrefix(slash, "/") {
		slash = "/" + slash // A Windows drive.
	}
	uri := "file:" + (&url.URL{Path: slash}).EscapedPath()
	if parameters == "" {
		return uri
	}
	return uri + "?" + parameters
}

// Close closes the database.
func (db *DB) Close() error {
	err := errors.Join(db.watcher.close(), db.readers.Close())
	if db.replica != nil {
		return err
	}
	if db.closed != nil {
		db.closed()
	}
	if db.copied {
		return errors.Join(err, db.dropCopy())
	}
	db.removeLeftovers()
	return err
}

// removeLeftovers removes the -wal and the -shm that using a database in WAL mode leaves
// beside it, if they weren't there before. SQLite does it itself, under its locks and only
// when nobody else has the file open, as the last connection that could write is closed. The
// -wal is empty, or has what was written through this handle: that goes into the file, so that
// a copy of the file alone has it.
func (db *DB) removeLeftovers() {
	wal := db.path + WALSuffix
	if db.CheckPath() != nil || db.hadWAL || !HasFile(wal) || hasWAL(db.path) && !db.wrote.Load() {
		return
	}
	pool, err := sql.Open("sqlite", dsn(db.path, modeWrite, 0, nil))
	if err != nil {
		return
	}
	_ = pool.QueryRowContext(context.Background(), "PRAGMA schema_version").Scan(new(int64)) // Attaches to the -wal.
	_ = pool.Close()
}

// Schema returns what the file can do.
func (db *DB) Schema() *Schema { return db.schema }

// Kind returns what wrote the file, as far as its tables tell.
func (db *DB) Kind() Kind { return db.kind }

// ReadURI names the file to SQLite as this handle reads it, for packages below data that attach
// it to a connection of their own. Nothing can be written by that name.
func (db *DB) ReadURI() string {
	parameters := url.Values{"mode": {modeReadOnly}}
	if db.readerExtra.Get("immutable") != "" {
		parameters.Set("immutable", "1")
	}
	return FileURI(db.file, parameters.Encode())
}

// MaxPartRows is how many rows one transaction changes at most, and maxBytesPerTurn about how many
// bytes. On a slow machine it ends before, after fewer of the parts that it could take.
const MaxPartRows = 2000
