package testdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"lcm-tui/internal/fakehost"
)

// Count returns the whole number that a query answers with, asked of the file at path.
func Count(path, query string, args ...any) (n int, err error) {
	h, err := fakehost.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	return n, h.Read([]any{&n}, query, args...)
}

// CountRows returns how many rows each of some queries answers with, asked of the file at
// path, which is only read; -1 for one that can't be asked of it.
func CountRows(path string, queries []string) ([]int, error) {
	db, err := sql.Open("sqlite", fakehost.FileURI(path)+"?mode=ro&_pragma=busy_timeout(30000)")
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	counts := make([]int, len(queries))
	for i, q := range queries {
		if counts[i], err = countRows(db, q); err != nil {
			counts[i] = -1
		}
	}
	return counts, nil
}

func countRows(db *sql.DB, query string) (n int, err error) {
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
