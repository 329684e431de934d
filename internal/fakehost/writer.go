package fakehost

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	_ "modernc.org/sqlite" // the driver named sqlite
)

// Epoch is when a file without given times begins.
var Epoch = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// Writer writes rows into one open lcm.db as the host would. It is not safe for concurrent use.
type Writer struct {
	db    *sql.DB
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	cols  map[string]map[string]bool // table → its columns
	busy  bool                       // inside a transaction
	Clock time.Time                  // time of the newest row; a row without a time comes a minute later
	ids   int                        // ids made so far: the salt of the next
	Files []string                   // the large files written, whole or not
}

// Create makes a new file with the tables of level; an existing file is refused, unless it is empty.
func Create(path string, level Level) (*Writer, error) {
	content, err := emptyFile(level)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create database: %w", err)
	}
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		return nil, fmt.Errorf("create database: %s: %w", path, errors.Join(fs.ErrExist, err, f.Close()))
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("create database: %w", errors.Join(err, RemoveDatabase(path)))
	}
	h, err := connect(path)
	if err == nil {
		if err = h.probe(); err == nil {
			return h, nil
		}
		_ = h.Close()
	}
	return nil, errors.Join(err, RemoveDatabase(path))
}

// Open continues an existing file of any level.
func Open(path string) (*Writer, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	h, err := connect(path)
	if err != nil {
		return nil, err
	}
	if err := h.resume(); err != nil {
		_ = h.Close()
		return nil, err
	}
	return h, nil
}

// Close folds the write-ahead log into the file, so that a single file remains.
func (h *Writer) Close() error {
	for _, s := range h.stmts {
		_ = s.Close()
	}
	_, err := h.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
	_ = h.conn.Close()
	if e := h.db.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// Exec runs any statement; its prepared form is kept until Close.
func (h *Writer) Exec(query string, args ...any) error {
	s, err := h.prepare(query) //nolint:sqlclosecheck // It is kept, and closed with the host.
	if err != nil {
		return err
	}
	if _, err := s.ExecContext(context.Background(), args...); err != nil {
		return fmt.Errorf("run %.60q: %w", query, err)
	}
	return nil
}

// Tx runs f in one transaction, or in the one already open, and takes everything back
// when f fails.
func (h *Writer) Tx(f func(*Writer) error) error {
	if h.busy {
		return f(h)
	}
	if err := h.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	h.busy = true
	err := f(h)
	h.busy = false
	if err != nil {
		_ = h.Exec("ROLLBACK") // the first error is the one to tell
		return err
	}
	return h.Exec("COMMIT")
}

// RemoveDatabase removes a database and what SQLite may have left beside it.
func RemoveDatabase(path string) error {
	var errs []error
	for _, p := range []string{path, path + "-wal", path + "-shm", path + "-journal"} {
		if err := os.Remove(p); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
