package fakehost

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"time"
)

// connect opens one connection with the engine's pragmas.
func connect(path string) (*Writer, error) {
	db, err := sql.Open("sqlite", FileURI(path)+"?_pragma=busy_timeout(30000)&_pragma=journal_mode(WAL)"+
		"&_pragma=foreign_keys(ON)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-65536)")
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	c, err := db.Conn(context.Background())
	if err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return &Writer{db: db, conn: c, stmts: map[string]*sql.Stmt{}, Clock: Epoch}, nil
}

// FileURI returns the file URI of path, without a query.
func FileURI(path string) string {
	if p, err := filepath.Abs(path); err == nil {
		path = filepath.ToSlash(p)
	}
	if len(path) > 1 && path[1] == ':' { // a drive letter
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// Script runs whole SQL scripts, unprepared.
func (h *Writer) Script(scripts ...string) error {
	for _, s := range scripts {
		if _, err := h.conn.ExecContext(context.Background(), s); err != nil {
			return fmt.Errorf("run script: %w", err)
		}
	}
	return nil
}

// resume learns what an existing file holds.
func (h *Writer) resume() error {
	if err := h.probe(); err != nil {
		return err
	}
	if err := h.one(&h.ids, "SELECT (SELECT count(*) FROM summaries) + (SELECT count(*) FROM large_files)"); err != nil {
		return err
	}
	var last string
	if err := h.one(&last, "SELECT COALESCE(MAX(created_at), '') FROM messages"); err != nil {
		return err
	}
	if t, err := time.Parse(Seconds, last); err == nil {
		h.Clock = t
	}
	return nil
}
