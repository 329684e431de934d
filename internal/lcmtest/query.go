package lcmtest

import (
	"context"
	"database/sql"
	"fmt"
)

// Answers is how many rows each of some queries answers with, asked of the file at
// path, which is only read; -1 for one that can't be asked of it.
func Answers(path string, queries []string) ([]int, error) {
	db, err := sql.Open("sqlite", dsn(path)+"?mode=ro&_pragma=busy_timeout(30000)")
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	counts := make([]int, len(queries))
	for i, q := range queries {
		if counts[i], err = answers(db, q); err != nil {
			counts[i] = -1
		}
	}
	return counts, nil
}

func answers(db *sql.DB, query string) (n int, err error) {
	rows, err := db.QueryContext(context.Background(), query)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// Read reads the one row that a query answers with; no row is sql.ErrNoRows.
func (h *Host) Read(into []any, query string, args ...any) error { return h.row(into, query, args...) }

// Each calls fn for every row that a query answers with. fn must not use the host.
func (h *Host) Each(query string, args []any, fn func(scan func(into ...any) error) error) error {
	s, err := h.prepare(query) //nolint:sqlclosecheck // It is kept, and closed with the host.
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(context.Background(), args...)
	if err != nil {
		return fmt.Errorf("read %.60q: %w", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return fmt.Errorf("read %.60q: %w", query, err)
		}
	}
	return rows.Err()
}
