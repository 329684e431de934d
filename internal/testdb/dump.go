package testdb

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"lcm-tui/internal/fakehost"
)

// DumpTables writes out every row of every table, sorted by primary key, each value with its
// type, so that two dumps are equal only when the tables are byte for byte the same.
// Search tables appear through their content and document sizes, without the row
// numbers that mean nothing. SQLite's own tables (counters of AUTOINCREMENT, statistics)
// and the tables named in except are left out.
func DumpTables(path string, except ...string) (string, error) {
	db, err := sql.Open("sqlite", fakehost.FileURI(path)+"?mode=ro&_pragma=busy_timeout(30000)")
	if err != nil {
		return "", fmt.Errorf("open database: %w", err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	tables, err := tables(db)
	if err != nil {
		return "", fmt.Errorf("list tables: %w", err)
	}
	var text []byte
	for _, t := range tables {
		if slices.Contains(except, t.name) {
			continue
		}
		if text, err = t.dump(db, text); err != nil {
			return "", fmt.Errorf("dump %s: %w", t.name, err)
		}
	}
	return string(text), nil
}

// table is a table to dump.
type table struct {
	name   string
	search bool
}

// tables lists what to dump, by name, without the shadows of search tables.
func tables(db *sql.DB) ([]table, error) {
	rows, err := db.QueryContext(context.Background(), `SELECT name, sql LIKE '%USING fts5%' FROM sqlite_master m
		WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND NOT EXISTS (SELECT 1 FROM sqlite_master v
			WHERE v.sql LIKE 'CREATE VIRTUAL%' AND m.name IN (v.name || '_data', v.name || '_idx', v.name || '_content', v.name || '_docsize', v.name || '_config'))
		ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []table
	for rows.Next() {
		var t table
		if err := rows.Scan(&t.name, &t.search); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, rows.Err()
}

// dump appends one table to text.
func (t table) dump(db *sql.DB, text []byte) ([]byte, error) {
	query, err := t.query(db)
	if err != nil {
		return text, err
	}
	rows, err := db.QueryContext(context.Background(), query)
	if err != nil {
		return text, err
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return text, err
	}
	vals, into := make([]any, len(cols)), make([]any, len(cols))
	for i := range vals {
		into[i] = &vals[i]
	}
	text = append(text, "== "+t.name+"\n"...)
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return text, err
		}
		for i, c := range cols {
			text = append(append(text, c...), '=')
			text = append(appendValue(text, vals[i]), ' ')
		}
		text = append(text, '\n')
	}
	return text, rows.Err()
}
