package salvage

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
)

// create makes the tables, search tables last.
func (w *writer) create(ctx context.Context, all []object) error {
	for _, virtual := range []bool{false, true} {
		for _, o := range all {
			if o.kind != "table" || o.virtual() != virtual || strings.HasPrefix(o.name, "sqlite_") || shadowOf(all, o.name) {
				continue
			}
			if err := w.table(ctx, o); err != nil {
				return err
			}
		}
	}
	return w.shadows(ctx, all)
}

// shadowOf reports whether a table belongs to a virtual one.
func shadowOf(all []object, name string) bool {
	return slices.ContainsFunc(all, func(v object) bool {
		return v.virtual() && slices.Contains(data.ShadowTables(v.name), name)
	})
}

// table makes a table. One that SQLite doesn't take is noted and left out.
func (w *writer) table(ctx context.Context, o object) error {
	known := slices.Contains(data.SearchTables(), o.name)
	if o.virtual() && !known {
		w.note("the virtual table %s isn't carried over", o.name)
		return nil
	}
	if known && strings.Contains(strings.ToLower(o.sql), "content_rowid") {
		i := slices.IndexFunc(newest(), func(n object) bool { return n.name == o.name })
		o.sql = newest()[i].sql
	}
	if _, err := w.ExecContext(ctx, o.sql); err != nil {
		w.note("the table %s can't be made: %v", o.name, err)
		return ctx.Err()
	}
	if o.virtual() {
		return nil
	}
	return w.learn(ctx, o, false)
}

// learn takes a table's columns from the new file, in the order of records.
func (w *writer) learn(ctx context.Context, o object, shadow bool) error {
	t := &table{object: o, account: TableResult{Name: o.name, Lost: []LostRange{}}, rowid: true, shadow: shadow, strays: map[int64]bool{}}
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
			w.note("the table %s has no rowids; its rows aren't carried over", o.name)
		}
		return nil
	}
	w.tables = append(w.tables, t)
	return nil
}

// shadows learns the tables behind the search tables, so that their pages aren't
// taken for others'.
func (w *writer) shadows(ctx context.Context, all []object) error {
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
			err = w.learn(ctx, o, true)
		}
	}
	return err
}
