package salvage

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
)

// createTables creates the tables, search tables last.
func (w *writer) createTables(ctx context.Context, all []object) error {
	for _, virtual := range []bool{false, true} {
		for _, o := range all {
			if o.kind != "table" || o.virtual() != virtual || strings.HasPrefix(o.name, "sqlite_") || shadowOf(all, o.name) {
				continue
			}
			if err := w.createTable(ctx, o); err != nil {
				return err
			}
		}
	}
	return w.readShadowColumns(ctx, all)
}

// shadowOf reports whether a table belongs to a virtual one.
func shadowOf(all []object, name string) bool {
	return slices.ContainsFunc(all, func(v object) bool {
		return v.virtual() && slices.Contains(data.ShadowTables(v.name), name)
	})
}

// createTable creates a table. One that SQLite rejects is noted and left out.
func (w *writer) createTable(ctx context.Context, o object) error {
	known := slices.Contains(data.SearchTables(), o.name)
	if o.virtual() && !known {
		w.note("the virtual table %s isn't copied", o.name)
		return nil
	}
	if known && strings.Contains(strings.ToLower(o.sql), "content_rowid") {
		i := slices.IndexFunc(newestSchema(), func(n object) bool { return n.name == o.name })
		o.sql = newestSchema()[i].sql
	}
	if _, err := w.ExecContext(ctx, o.sql); err != nil {
		w.note("the table %s can't be created: %v", o.name, err)
		return ctx.Err()
	}
	if o.virtual() {
		return nil
	}
	return w.readColumns(ctx, o, false)
}

// readColumns reads a table's columns from the new file, in the order in which records store
// them.
func (w *writer) readColumns(ctx context.Context, o object, shadow bool) error {
	t := &table{object: o, result: TableResult{Name: o.name, Lost: []LostRange{}}, rowid: true, shadow: shadow, foundRows: map[int64]bool{}}
	keys := 0
	err := data.EachRow(ctx, w, "SELECT name, type, \"notnull\", \"notnull\" AND dflt_value IS NULL, pk FROM pragma_table_info(?) ORDER BY cid", []any{o.name},
		func(scan data.RowScanner) error {
			var c column
			var declared string
			var pk int
			err := scan(&c.name, &declared, &c.notNull, &c.required, &pk)
			c.affinity = affinity(declared)
			if pk > 0 {
				keys++
				c.alias = strings.EqualFold(declared, "INTEGER")
			}
			t.columns = append(t.columns, c)
			return err
		})
	if err != nil {
		return err
	}
	for i := range t.columns {
		t.columns[i].alias = t.columns[i].alias && keys == 1
		t.rowid = t.rowid && !t.columns[i].alias
	}
	if strings.Contains(strings.ToUpper(o.sql[max(0, len(o.sql)-40):]), "WITHOUT ROWID") {
		if !shadow {
			w.note("the table %s has no rowids; its rows aren't copied", o.name)
		}
		return nil
	}
	w.tables = append(w.tables, t)
	return nil
}

// readShadowColumns reads the columns of the tables behind the search tables, so that their
// pages aren't mistaken for pages of other tables.
func (w *writer) readShadowColumns(ctx context.Context, all []object) error {
	var made []object
	err := data.EachRow(ctx, w, "SELECT name, sql FROM sqlite_master WHERE type = 'table'", nil, func(scan data.RowScanner) error {
		o := object{kind: "table"}
		err := scan(&o.name, &o.sql)
		if shadowOf(all, o.name) {
			made = append(made, o)
		}
		return err
	})
	for _, o := range made {
		if i := slices.IndexFunc(all, func(a object) bool { return a.name == o.name }); i >= 0 {
			o.root = all[i].root
		}
		if err == nil {
			err = w.readColumns(ctx, o, true)
		}
	}
	return err
}
