package fakehost

import (
	"context"
	"fmt"
)

// Read reads the one row that a query answers with; no row is sql.ErrNoRows.
func (h *Writer) Read(into []any, query string, args ...any) error {
	return h.row(into, query, args...)
}

// Each calls fn for every row that a query answers with. fn must not use the host.
func (h *Writer) Each(query string, args []any, fn func(scan func(into ...any) error) error) error {
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
