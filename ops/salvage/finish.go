package salvage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// closeResults completes the results of the tables and counts the rows.
func (w *writer) closeResults() (rows int64) {
	for _, t := range w.tables {
		if t.shadow {
			continue
		}
		t.result.Unreferenced = int64(len(t.foundRows))
		t.result.Lost = t.lost(w.counters[t.name])
		rows += t.result.Rows
		w.result.Tables = append(w.result.Tables, t.result)
	}
	return rows
}

// restoreCounters sets the counters of AUTOINCREMENT to what they were, so that ids of rows
// that were deleted or are lost aren't used again.
func (w *writer) restoreCounters(ctx context.Context) error {
	n := 0
	if err := w.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_sequence'").Scan(&n); err != nil || n == 0 {
		return err
	}
	for name, seq := range w.counters {
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

// fillSearchTables fills the search tables.
func (w *writer) fillSearchTables(ctx context.Context) error {
	w.report(0, 0, "indexing")
	return change.FillSearchTables(ctx, w.Conn)
}

// createRest creates the indexes, views and triggers. A unique index that the recovered rows
// violate is noted and left out.
func (w *writer) createRest(ctx context.Context, all []object) error {
	for _, o := range all {
		if o.kind == "table" || o.sql == "" {
			continue
		}
		if _, err := w.ExecContext(ctx, o.sql); err != nil {
			if k := data.ErrorKind(err); ctx.Err() != nil || k != data.ErrConstraint && k != data.ErrRefused && k != data.ErrDamaged { //nolint:errorlint // kind gives one of them.
				return errors.Join(ctx.Err(), err)
			}
			w.note("the %s %s can't be created: %v", o.kind, o.name, err)
		}
	}
	return nil
}

// check runs SQLite's own checks on the new file.
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
		s.Notes = append(s.Notes, fmt.Sprintf("whether references lead to rows can't be checked: %v", err))
		return nil
	}
	return err
}
