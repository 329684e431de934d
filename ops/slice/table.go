package slice

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
)

// object is a row of the source's schema.
type object struct{ kind, name, table, sql string }

func (o object) virtual() bool { return strings.HasPrefix(strings.ToUpper(o.sql), "CREATE VIRTUAL") }

// table is a table of the source that has rows of its own.
type table struct {
	name    string
	columns []string
	// rowid is the name of the row number where no column has it; it is copied too, so that
	// rows keep their order. Empty where a column is the row number, or there is none.
	rowid string
	// order are the columns that name a row: the row number or the primary key.
	order      []string
	references []reference
}

// reference is a foreign key of a table.
type reference struct {
	columns []string
	parent  string
	to      []string // Columns of the parent.
}

// copied returns all columns that are copied.
func (t table) copied() []string {
	if t.rowid == "" {
		return t.columns
	}
	return append([]string{t.rowid}, t.columns...)
}

// list returns the columns under an alias, separated by commas.
func list(alias string, columns []string) string {
	out := make([]string, 0, len(columns))
	for _, c := range columns {
		out = append(out, alias+data.QuoteName(c))
	}
	return strings.Join(out, ", ")
}

// readSchema reads the objects and tables of the attached source.
func (w *writer) readSchema(ctx context.Context) error {
	err := w.each(ctx, "SELECT type, name, tbl_name, coalesce(sql, '') FROM source.sqlite_master ORDER BY rowid", func(scan data.RowScanner) error {
		var o object
		err := scan(&o.kind, &o.name, &o.table, &o.sql)
		w.objects = append(w.objects, o)
		return err
	})
	if err != nil {
		return err
	}
	for _, o := range w.objects {
		if o.kind != "table" || o.virtual() || strings.HasPrefix(o.name, "sqlite_") || w.isShadow(o.name) {
			continue
		}
		t, err := w.readTable(ctx, o)
		if err != nil {
			return err
		}
		w.tables = append(w.tables, t)
	}
	return nil
}

// isShadow reports whether SQLite keeps the rows of a virtual table in it. Of virtual tables
// that aren't known only the names of such tables tell.
func (w *writer) isShadow(name string) bool {
	return slices.ContainsFunc(w.objects, func(v object) bool {
		switch {
		case !v.virtual():
			return false
		case slices.Contains(data.SearchTables(), v.name):
			return slices.Contains(data.ShadowTables(v.name), name)
		}
		return strings.HasPrefix(name, v.name+"_")
	})
}

func (w *writer) readTable(ctx context.Context, o object) (table, error) {
	t := table{name: o.name}
	var keys []string
	alias := ""
	err := w.each(ctx, "SELECT name, upper(type), pk FROM pragma_table_info(?1, 'source') ORDER BY pk, cid", func(scan data.RowScanner) error {
		var name, declared string
		var pk int
		err := scan(&name, &declared, &pk)
		t.columns = append(t.columns, name)
		if pk > 0 {
			keys = append(keys, name)
			alias = declared
		}
		return err
	}, o.name)
	if err != nil {
		return t, err
	}
	switch own := rowNumber(t.columns); {
	case withoutRowid(o.sql):
		t.order = keys
	case len(keys) == 1 && alias == "INTEGER":
		t.order = keys
	case own == "":
		t.order = t.columns
	default:
		t.rowid, t.order = own, []string{own}
	}
	return t, w.readReferences(ctx, &t)
}

// withoutRowid reports whether the statement makes a table whose rows have no numbers.
func withoutRowid(sql string) bool {
	end := sql[strings.LastIndex(sql, ")")+1:]
	return strings.Contains(strings.Join(strings.Fields(strings.ToUpper(end)), " "), "WITHOUT ROWID")
}

// rowNumber returns a name of the row number that no column has, or is empty.
func rowNumber(columns []string) string {
	for _, name := range []string{"rowid", "_rowid_", "oid"} {
		if !slices.ContainsFunc(columns, func(c string) bool { return strings.EqualFold(c, name) }) {
			return name
		}
	}
	return ""
}

func (w *writer) readReferences(ctx context.Context, t *table) error {
	last := -1
	err := w.each(ctx, `SELECT id, "from", "table", coalesce("to", '') FROM pragma_foreign_key_list(?1, 'source') ORDER BY id, seq`, func(scan data.RowScanner) error {
		var id int
		var from, parent, to string
		err := scan(&id, &from, &parent, &to)
		if id != last {
			t.references = append(t.references, reference{parent: parent})
			last = id
		}
		r := &t.references[len(t.references)-1]
		r.columns = append(r.columns, from)
		if to != "" {
			r.to = append(r.to, to)
		}
		return err
	}, t.name)
	return err
}

// table returns the table of this name, or nil.
func (w *writer) table(name string) *table {
	for i := range w.tables {
		if strings.EqualFold(w.tables[i].name, name) {
			return &w.tables[i]
		}
	}
	return nil
}
