package salvage

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/pages"
)

// readTrees reads the rows that the trees of the tables lead to.
func (w *writer) readTrees(ctx context.Context, all []object) error {
	w.source.Free(w.seen)
	for _, o := range all {
		if o.name == "sqlite_sequence" && o.root > 0 {
			if _, err := w.source.Walk(o.root, w.seen, w.readCounter); err != nil {
				return err
			}
		}
	}
	for i, t := range w.tables {
		w.report(i, len(w.tables), "reading "+t.name)
		if t.root == 0 {
			t.holes = []pages.Hole{{After: math.MinInt64, Until: math.MaxInt64}}
			continue
		}
		var err error
		if t.holes, err = w.source.Walk(t.root, w.seen, w.inserterFor(ctx, t)); err != nil {
			return err
		}
	}
	return nil
}

// readCounter keeps a row of sqlite_sequence.
func (w *writer) readCounter(r pages.Row) error {
	if len(r.Values) == 2 {
		w.counters[data.CellText(r.Values[0])] = data.CellInteger(r.Values[1])
	}
	return nil
}

// readUnreferenced fills the holes from pages that no other page refers to.
func (w *writer) readUnreferenced(ctx context.Context) error {
	if !slices.ContainsFunc(w.tables, func(t *table) bool { return len(t.holes) > 0 }) {
		return nil
	}
	w.report(0, 0, "reading the pages that no other page refers to")
	unknown := 0
	err := w.source.Unreferenced(w.seen, func(rows []pages.Row) (bool, error) {
		t := ownerOf(w.tables, rows)
		if t == nil {
			unknown++
			return false, ctx.Err()
		}
		insert := w.inserterFor(ctx, t)
		for _, r := range rows {
			if !t.isMissing(r.ID) || t.foundRows[r.ID] {
				continue
			}
			if err := insert(r); err != nil {
				return false, err
			}
			t.foundRows[r.ID] = true
		}
		return true, nil
	})
	if unknown > 0 {
		w.note("%d pages have rows that could be of more than one table, or of none; they aren't copied", unknown)
	}
	return err
}

// inserterFor writes rows of a table. Those that break a rule of it are counted.
func (w *writer) inserterFor(ctx context.Context, t *table) func(pages.Row) error {
	if t.shadow {
		return func(pages.Row) error { return ctx.Err() }
	}
	queries := map[int]string{}
	return func(r pages.Row) error {
		n := len(r.Values)
		if n == 0 || n > len(t.columns) || !t.hasEmptyKey(r) {
			t.result.Refused++
			return nil
		}
		if queries[n] == "" {
			queries[n] = t.insert(n)
		}
		insert, err := w.prepared(ctx, queries[n]) //nolint:sqlclosecheck // It is kept, and closed with the writer.
		if err != nil {
			return err
		}
		done, err := insert.ExecContext(ctx, t.args(r)...)
		if err != nil && !errors.Is(data.ErrorKind(err), data.ErrConstraint) {
			return err
		}
		if err == nil {
			if made, err := done.RowsAffected(); err != nil || made == 1 {
				t.result.Rows++
				return err
			}
		}
		t.result.Refused++
		return nil
	}
}

// prepared returns a statement, which is prepared once.
func (w *writer) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := w.inserts[query]; s != nil {
		return s, nil
	}
	s, err := w.PrepareContext(ctx, query)
	if err == nil {
		w.inserts[query] = s
	}
	return s, err
}

func (w *writer) closeInserts() {
	for _, s := range w.inserts {
		_ = s.Close()
	}
}

// insert returns the statement for a row of n values; missing columns get their defaults.
func (t *table) insert(n int) string {
	var names []string
	if t.rowid {
		names = append(names, "rowid")
	}
	for _, c := range t.columns[:n] {
		names = append(names, data.QuoteName(c.name))
	}
	return "INSERT OR IGNORE INTO " + data.QuoteName(t.name) + " (" + strings.Join(names, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(names)-1) + ")"
}

// hasEmptyKey reports whether the column that is the rowid is as SQLite stores it:
// empty.
func (t *table) hasEmptyKey(r pages.Row) bool {
	for i, v := range r.Values {
		if t.columns[i].alias && v != nil {
			return false
		}
	}
	return true
}

func (t *table) args(r pages.Row) []any {
	args := make([]any, 0, len(r.Values)+1)
	if t.rowid {
		args = append(args, r.ID)
	}
	for i, v := range r.Values {
		if t.columns[i].alias {
			v = r.ID
		}
		args = append(args, v)
	}
	return args
}
