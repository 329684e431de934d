package fakehost

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// cell is a column and its value.
type cell struct {
	col string
	val any
}

// Row inserts one row into any table; columns that the file's level lacks are left out,
// and a table that it lacks takes nothing.
func (h *Writer) Row(table string, values map[string]any) error {
	cells := make([]cell, 0, len(values))
	for _, c := range slices.Sorted(maps.Keys(values)) {
		cells = append(cells, cell{c, values[c]})
	}
	_, err := h.insert(table, cells...)
	return err
}

// Has reports whether the file has the table, and the columns if any are named.
func (h *Writer) Has(table string, columns ...string) bool {
	have, ok := h.cols[table]
	for _, c := range columns {
		ok = ok && have[c]
	}
	return ok
}

// insert writes the cells whose columns the file has and returns the row's number.
func (h *Writer) insert(table string, cells ...cell) (int64, error) {
	have, ok := h.cols[table]
	if !ok {
		return 0, nil
	}
	var names, marks strings.Builder
	args := make([]any, 0, len(cells))
	for _, c := range cells {
		if !have[c.col] {
			continue
		}
		if len(args) > 0 {
			names.WriteString(", ")
			marks.WriteString(", ")
		}
		names.WriteString(c.col)
		marks.WriteString("?")
		args = append(args, c.val)
	}
	s, err := h.prepare("INSERT INTO " + table + " (" + names.String() + ") VALUES (" + marks.String() + ")") //nolint:sqlclosecheck // It is kept, and closed with the host.
	if err != nil {
		return 0, err
	}
	r, err := s.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, fmt.Errorf("insert into %s: %w", table, err)
	}
	return r.LastInsertId()
}

// prepare returns the kept form of a statement.
func (h *Writer) prepare(query string) (*sql.Stmt, error) {
	if s, ok := h.stmts[query]; ok {
		return s, nil
	}
	s, err := h.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, fmt.Errorf("prepare %.60q: %w", query, err)
	}
	h.stmts[query] = s
	return s, nil
}

// one reads a single value; no row is sql.ErrNoRows.
func (h *Writer) one(into any, query string, args ...any) error {
	return h.row([]any{into}, query, args...)
}

// row reads a single row; no row is sql.ErrNoRows.
func (h *Writer) row(into []any, query string, args ...any) error {
	s, err := h.prepare(query) //nolint:sqlclosecheck // It is kept, and closed with the host.
	if err != nil {
		return err
	}
	if err := s.QueryRowContext(context.Background(), args...).Scan(into...); err != nil {
		return fmt.Errorf("read %.60q: %w", query, err)
	}
	return nil
}

// probe learns the tables and columns of the file.
func (h *Writer) probe() error {
	rows, err := h.conn.QueryContext(context.Background(), "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'")
	if err != nil {
		return fmt.Errorf("read schema: %w", err)
	}
	defer rows.Close()
	h.cols = map[string]map[string]bool{}
	for rows.Next() {
		var t, c string
		if err := rows.Scan(&t, &c); err != nil {
			return fmt.Errorf("read schema: %w", err)
		}
		if h.cols[t] == nil {
			h.cols[t] = map[string]bool{"rowid": true}
		}
		h.cols[t][c] = true
	}
	return rows.Err()
}

// null turns an empty text into NULL.
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}
