package work

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"lcm-tui/data"
)

// Sidecar is the database of what is noted beside another one. Several processes may have it open.
type Sidecar struct {
	db     atomic.Pointer[sql.DB]
	path   string
	renews bool // What turns out to be damaged is put aside, and made again for the next use.
}

func (s *Sidecar) conn() *sql.DB { return s.db.Load() }

// fileName is the name of the sidecar in its folder.
const fileName = "work.db"

// Folder returns the folder, below that of this program's state, in which what is noted beside a database lies. It
// is called after the real path of the database.
func Folder(state, database string) string {
	if whole, err := filepath.EvalSymlinks(database); err == nil {
		database = whole
	}
	sum := sha256.Sum256([]byte(database))
	return filepath.Join(state, hex.EncodeToString(sum[:8]))
}

// schemas make the tables; one more is a version more, as PRAGMA user_version has it. What was released stays as
// it is.
var schemas = []string{`
CREATE TABLE position (path TEXT PRIMARY KEY, state TEXT NOT NULL, noted_at TEXT NOT NULL);
CREATE TABLE injection (id INTEGER PRIMARY KEY, at TEXT NOT NULL, client TEXT NOT NULL, event TEXT NOT NULL, session TEXT NOT NULL,
	ids TEXT NOT NULL, characters INTEGER NOT NULL);
CREATE INDEX injection_session ON injection (session, id);
CREATE TABLE receipt (client TEXT NOT NULL, event TEXT NOT NULL, at TEXT NOT NULL, session TEXT NOT NULL, milliseconds INTEGER NOT NULL,
	outcome TEXT NOT NULL, times INTEGER NOT NULL, failures INTEGER NOT NULL, PRIMARY KEY (client, event));
`, `
CREATE TABLE job (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, conversation INTEGER NOT NULL, reason TEXT NOT NULL, requested_at TEXT NOT NULL,
	not_before TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'queued', error TEXT NOT NULL DEFAULT '',
	result TEXT NOT NULL DEFAULT '', started_at TEXT NOT NULL DEFAULT '', finished_at TEXT NOT NULL DEFAULT '');
CREATE UNIQUE INDEX job_queued ON job (kind, conversation) WHERE state = 'queued';
CREATE TABLE call (id INTEGER PRIMARY KEY, at TEXT NOT NULL, conversation INTEGER NOT NULL, model TEXT NOT NULL, input_tokens INTEGER NOT NULL DEFAULT 0,
	output_tokens INTEGER NOT NULL DEFAULT 0, dollars REAL, outcome TEXT NOT NULL DEFAULT '');
CREATE INDEX call_at ON call (at);
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
`, `
ALTER TABLE job ADD COLUMN mode TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN mark TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN cost REAL;
CREATE INDEX call_conversation ON call (conversation, at);
CREATE TABLE breaker (model TEXT PRIMARY KEY, failures INTEGER NOT NULL, open_until TEXT NOT NULL DEFAULT '');
CREATE TABLE checkup (id INTEGER PRIMARY KEY, at TEXT NOT NULL, conversation INTEGER NOT NULL, fatal INTEGER NOT NULL, error INTEGER NOT NULL, warn INTEGER NOT NULL,
	info INTEGER NOT NULL, plan TEXT NOT NULL DEFAULT '');
CREATE TABLE coverage (record INTEGER NOT NULL, conversation INTEGER NOT NULL, kind TEXT NOT NULL, messages INTEGER NOT NULL, found_at TEXT NOT NULL, over_at TEXT NOT NULL DEFAULT '',
	what TEXT NOT NULL, plan TEXT NOT NULL DEFAULT '', PRIMARY KEY (record, conversation, kind));
`, countSchema}

// Open opens the sidecar in a folder, and makes both where they aren't there. One that is damaged is put aside
// and made again, also where that turns out later: then one use of it fails.
func Open(ctx context.Context, folder string) (*Sidecar, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("open the sidecar: %w", err)
	}
	path := filepath.Join(folder, fileName)
	s, err := openThere(ctx, path)
	if isMissing(err) || isDamage(err) {
		s, err = openNew(ctx, path)
	}
	if err != nil {
		return nil, err
	}
	s.renews = true
	return s, nil
}

// How long Open waits for processes that make the file at the same moment, and how long between two tries: SQLite
// doesn't wait itself where the journal of a new file is chosen.
const (
	mostOpening = 5 * time.Second
	openingStep = 10 * time.Millisecond
)

// openWaiting opens the sidecar that is there. Its error wraps fs.ErrNotExist where none is. The caller has the lock of makingLock.
func openWaiting(ctx context.Context, path string) (*Sidecar, error) {
	for began := time.Now(); ; {
		s, err := open(ctx, path)
		if !errors.Is(err, data.ErrLocked) || time.Since(began) > mostOpening {
			return s, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(openingStep):
		}
	}
}

// OpenToRead opens the sidecar in a folder as it is. It returns nil where there is none, or one that is damaged: then
// nothing is noted.
func OpenToRead(ctx context.Context, folder string) (*Sidecar, error) {
	path := filepath.Join(folder, fileName)
	if _, err := os.Stat(path); err != nil {
		return nil, nil //nolint:nilerr // What can't be found has nothing noted.
	}
	s, err := openThere(ctx, path)
	if isMissing(err) || isDamage(err) {
		return nil, nil
	}
	return s, err
}

func open(ctx context.Context, path string) (*Sidecar, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open the sidecar: %w", err)
	}
	// A process that ends in the middle of a write loses at most that write, and locks last for milliseconds.
	db, err := sql.Open("sqlite", data.FileURI(path, "mode=rw&_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)"))
	if err != nil {
		return nil, fmt.Errorf("open the sidecar: %w", err)
	}
	db.SetMaxOpenConns(1)
	s := &Sidecar{path: path}
	s.db.Store(db)
	if err := s.makeTables(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// makeTables makes the tables of a new file, and those that an older one lacks.
func (s *Sidecar) makeTables(ctx context.Context) error {
	var have int
	if err := s.conn().QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil || have >= len(schemas) {
		return s.wrap("open", err)
	}
	return s.change(ctx, "open", func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil || have >= len(schemas) {
			return err // Another process was first.
		}
		_, err := tx.ExecContext(ctx, strings.Join(schemas[have:], "")+"PRAGMA user_version = "+strconv.Itoa(len(schemas)))
		return err
	})
}

// change runs fn in a transaction.
func (s *Sidecar) change(ctx context.Context, verb string, fn func(*sql.Tx) error) error {
	tx, err := s.conn().BeginTx(ctx, nil)
	if err != nil {
		return s.wrap(verb, err)
	}
	if err := fn(tx); err != nil {
		return s.wrap(verb, errors.Join(err, tx.Rollback()))
	}
	return s.wrap(verb, tx.Commit())
}

func (s *Sidecar) wrap(verb string, err error) error {
	err = data.WrapError(s.path, verb, err)
	if s.renews && isDamage(err) {
		err = s.renew(err)
	}
	return err
}

// Close closes the sidecar.
func (s *Sidecar) Close() error { return data.WrapError(s.path, "close", s.conn().Close()) }
