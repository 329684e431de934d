package salvage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"lcm-tui/data"
)

// accounts closes the tables' accounts and counts the rows.
func (w *writer) accounts() (rows int64) {
	for _, t := range w.tables {
		if t.shadow {
			continue
		}
		t.account.Strays = int64(len(t.strays))
		t.account.Lost = t.lost(w.counts[t.name])
		rows += t.account.Rows
		w.s.Tables = append(w.s.Tables, t.account)
	}
	return rows
}

// sequences keeps the counters of AUTOINCREMENT where they were: ids of rows that
// were deleted, or are lost now, don't come again.
func (w *writer) sequences(ctx context.Context) error {
	n := 0
	if err := w.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_sequence'").Scan(&n); err != nil || n == 0 {
		return err
	}
	for name, seq := range w.counts {
		if _, err := w.ExecContext(ctx, "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", seq, name); err != nil {
			return err
		}
		const insert = "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)"
		if _, err := w.ExecContext(ctx, insert, name, seq); err != nil {
			return err
		}
	}
	return nil
}

// index fills the search tables.
func (w *writer) index(ctx context.Context) error {
	w.report(0, 0, "indexing")
	return data.FillSearchTables(ctx, w.Conn)
}

// rest makes the indexes, views and triggers. A unique index that rows which were
// brought back break is noted and left out.
func (w *writer) rest(ctx context.Context, all []object) error {
	for _, o := range all {
		if o.kind == "table" || o.sql == "" {
			continue
		}
		if _, err := w.ExecContext(ctx, o.sql); err != nil {
			if k := data.ErrorKind(err); ctx.Err() != nil || k != data.ErrConstraint && k != data.ErrRefused && k != data.ErrDamaged { //nolint:errorlint // kind gives one of them.
				return errors.Join(ctx.Err(), err)
			}
			w.note("the %s %s can't be made: %v", o.kind, o.name, err)
		}
	}
	return nil
}

// check says what SQLite thinks of the new file.
func (s *Result) check(ctx context.Context, path string, report data.Report) error {
	report(0, 0, "checking the new file")
	pool, err := sql.Open("sqlite", data.FileURI(path, "mode=ro&immutable=1"))
	if err != nil {
		return err
	}
	defer pool.Close()
	err = data.EachRow(ctx, pool, "PRAGMA integrity_check(20)", nil, func(scan data.RowScanner) error {
		var line any
		err := scan(&line)
		s.Integrity = append(s.Integrity, data.CellText(line))
		return err
	})
	if err != nil {
		return err
	}
	err = data.EachRow(ctx, pool, "PRAGMA foreign_key_check", nil, func(scan data.RowScanner) error {
		var table, rowid, parent, foreignKey any
		err := scan(&table, &rowid, &parent, &foreignKey)
		s.Dangling[data.CellText(table)]++
		return err
	})
	if err != nil && ctx.Err() == nil {
		s.Notes = append(s.Notes, fmt.Sprintf("what rows point at can't be checked: %v", err))
		return nil
	}
	return err
}
