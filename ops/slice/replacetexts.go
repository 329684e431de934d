package slice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"lcm-tui/data"
)

// ReplaceTexts replaces the texts in every table of a file that Write made and that nobody else
// has open. replace returns what stands in the place of the text of a column. Afterwards no free
// page of the file holds an old text.
func ReplaceTexts(ctx context.Context, path string, replace func(table, column, text string) string) (err error) {
	pool, err := sql.Open("sqlite", data.FileURI(path, "mode=rw"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, statement := range []string{"PRAGMA journal_mode = MEMORY", "PRAGMA foreign_keys = OFF", "PRAGMA ignore_check_constraints = ON", "BEGIN"} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	const columns = `SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.sql NOT LIKE '%WITHOUT ROWID%' ORDER BY m.name, p.cid`
	of, names := map[string][]string{}, []string{}
	err = data.EachRow(ctx, conn, columns, nil, func(scan data.RowScanner) error {
		var table, column string
		err := scan(&table, &column)
		if of[table] == nil {
			names = append(names, table)
		}
		of[table] = append(of[table], column)
		return err
	})
	for _, table := range names {
		if err == nil {
			err = replaceTable(ctx, conn, table, of[table], replace)
		}
	}
	if err != nil {
		return fmt.Errorf("replace texts: %w", err)
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "VACUUM")
	return err
}

// replaceTable replaces the texts of one table, row by row.
func replaceTable(ctx context.Context, conn *sql.Conn, table string, columns []string, replace func(table, column, text string) string) error {
	var numbers []int64
	err := data.EachRow(ctx, conn, "SELECT rowid FROM "+data.QuoteName(table), nil, func(scan data.RowScanner) error {
		var n int64
		err := scan(&n)
		numbers = append(numbers, n)
		return err
	})
	for _, n := range numbers {
		if err != nil {
			return err
		}
		cells, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			places[i] = &cells[i]
		}
		err = data.EachRow(ctx, conn, "SELECT "+list("", columns)+" FROM "+data.QuoteName(table)+" WHERE rowid = ?", []any{n}, func(scan data.RowScanner) error {
			return scan(places...)
		})
		var set []string
		var args []any
		for i, c := range cells {
			switch c.(type) {
			case string, []byte:
				text := data.CellText(c)
				if with := replace(table, columns[i], text); with != text {
					set, args = append(set, data.QuoteName(columns[i])+" = ?"), append(args, with)
				}
			}
		}
		if len(set) > 0 && err == nil {
			_, err = conn.ExecContext(ctx, "UPDATE "+data.QuoteName(table)+" SET "+strings.Join(set, ", ")+" WHERE rowid = ?", append(args, n)...)
		}
	}
	return err
}
