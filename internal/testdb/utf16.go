package testdb

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
)

// InUTF16 returns the path of a copy of a database whose texts are stored in UTF-16.
func InUTF16(t testing.TB, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "lcm.db")
	if err := errors.Join(copyEncoded(t.Context(), path, to), os.Chmod(to, 0o600)); err != nil {
		t.Fatal(err)
	}
	return to
}

// copyEncoded copies the tables and indexes of a file with their rows into a new one of UTF-16. The search tables
// get their words by their own statements.
func copyEncoded(ctx context.Context, path, to string) error {
	from, err := sql.Open("sqlite", fakehost.FileURI(path)+"?mode=ro")
	if err != nil {
		return err
	}
	defer from.Close()
	into, err := sql.Open("sqlite", fakehost.FileURI(to)+"?_pragma=encoding('UTF-16le')&_pragma=journal_mode(WAL)")
	if err != nil {
		return err
	}
	defer into.Close()
	objects, err := textRows(ctx, from, "SELECT name, sql, type FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY type DESC, sql NOT LIKE 'CREATE VIRTUAL%'")
	if err != nil {
		return err
	}
	var search []string
	for _, o := range objects {
		name, statement, isTable := o[0].(string), o[1].(string), o[2] == "table"
		number := ""
		i := strings.LastIndex(name, "_")
		switch {
		case strings.HasPrefix(statement, "CREATE VIRTUAL"):
			search, number = append(search, name), "rowid"
		case i > 0 && slices.Contains(search, name[:i]): // SQLite has made it.
			continue
		}
		if _, err := into.ExecContext(ctx, statement); err != nil {
			return err
		}
		if isTable {
			if err := copyRows(ctx, from, into, name, number); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyRows copies the rows of a table with the column of their numbers, if it isn't empty.
func copyRows(ctx context.Context, from, into *sql.DB, table, number string) error {
	columns, err := textRows(ctx, from, "SELECT name FROM pragma_table_info('"+table+"')")
	if err != nil {
		return err
	}
	var names []string
	if number != "" {
		names = append(names, number)
	}
	for _, c := range columns {
		names = append(names, c[0].(string))
	}
	list := strings.Join(names, ", ")
	rows, err := textRows(ctx, from, "SELECT "+list+" FROM "+table)
	if err != nil {
		return err
	}
	statement := "INSERT INTO " + table + " (" + list + ") VALUES (?" + strings.Repeat(", ?", len(names)-1) + ")"
	for _, r := range rows {
		if _, err := into.ExecContext(ctx, statement, r...); err != nil {
			return err
		}
	}
	return nil
}

// textRows returns the rows of a query.
func textRows(ctx context.Context, db *sql.DB, query string) (out [][]any, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		cells, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			places[i] = &cells[i]
		}
		if err := rows.Scan(places...); err != nil {
			return nil, err
		}
		out = append(out, cells)
	}
	return out, rows.Err()
}
