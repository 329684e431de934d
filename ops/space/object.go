package space

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lcm-tui/data"
)

// Object is a table or an index with its pages.
type Object struct {
	Name string
	// Table is the table whose rows it has: its own name, that of the table of an index, or of
	// the search table that keeps its content in it.
	Table string
	Kind  ObjectKind
	// Internal pages lead to leaves, leaves have the rows, and overflow pages have what of a
	// row doesn't fit into a leaf.
	Internal, Leaf, Overflow Pages
	// PackedLeaves is how many leaves the rows fill when they are rewritten one after the
	// other, with PackedOverflow for what doesn't fit into them, and in the index of a search
	// table once it is merged. It is 0 where that wasn't measured.
	PackedLeaves, PackedOverflow int64

	measured bool // Its pages were counted.
}

// ObjectKind is what an object is for.
type ObjectKind string

// The kinds of objects.
const (
	Table  ObjectKind = "table"
	Index  ObjectKind = "index"
	Search ObjectKind = "search" // A table in which a search table keeps its content or its index.
)

// Pages are pages of one kind of an object: how many, the cells in them, the bytes of rows, and
// the bytes that nothing uses.
type Pages struct{ Count, Cells, Payload, Unused int64 }

// Pages returns the number of all pages of the object.
func (o *Object) Pages() int64 { return o.Internal.Count + o.Leaf.Count + o.Overflow.Count }

// Rows returns how many rows the object has. In an index some stand in internal pages.
func (o *Object) Rows() int64 {
	if o.Kind == Index || o.Internal.Payload > 0 {
		return o.Leaf.Cells + o.Internal.Cells
	}
	return o.Leaf.Cells
}

// Payload returns the bytes of all rows.
func (o *Object) Payload() int64 {
	return o.Internal.Payload + o.Leaf.Payload + o.Overflow.Payload
}

// Unused returns the bytes in the pages that nothing uses.
func (o *Object) Unused() int64 { return o.Internal.Unused + o.Leaf.Unused + o.Overflow.Unused }

// ErrNoPageTable says that this SQLite can't list the pages of objects.
var ErrNoPageTable = errors.New("this SQLite has no dbstat table")

// ListObjects lists the tables and indexes of the file without their pages, in the order of
// their names.
func ListObjects(ctx context.Context, db *data.DB) ([]Object, error) {
	var out []Object
	var virtual []string
	const query = "SELECT name, tbl_name, type, rootpage FROM main.sqlite_master WHERE type IN ('table', 'index') ORDER BY name"
	err := db.EachRow(ctx, "list the tables of", query, nil, func(scan data.RowScanner) error {
		var name, table, kind data.Text
		var root data.Integer
		if err := scan(&name, &table, &kind, &root); err != nil {
			return err
		}
		if root == 0 {
			virtual = append(virtual, string(name))
			return nil
		}
		out = append(out, Object{Name: string(name), Table: string(table), Kind: ObjectKind(kind)})
		return nil
	})
	for i := range out {
		if v := searchTableOf(out[i].Table, virtual); v != "" {
			out[i].Table, out[i].Kind = v, Search
		}
	}
	return append(out, Object{Name: SchemaTable, Table: SchemaTable, Kind: Table}), err
}

// SchemaTable is the table that has the statements that made the tables.
const SchemaTable = "sqlite_schema"

// searchTableOf returns the search table that keeps something in a table, or empty.
func searchTableOf(table string, virtual []string) string {
	for _, v := range virtual {
		rest, ok := strings.CutPrefix(table, v)
		if ok && (rest == contentSuffix || slices.Contains(indexSuffixes, rest)) {
			return v
		}
	}
	return ""
}

// ReadPages reads the pages of one object. It returns ErrNoPageTable where SQLite can't list
// them.
func ReadPages(ctx context.Context, db *data.DB, o *Object) error {
	const query = `SELECT pagetype, count(*), sum(ncell), sum(payload), sum(unused) FROM dbstat('main') WHERE name = ? GROUP BY 1`
	o.Internal, o.Leaf, o.Overflow = Pages{}, Pages{}, Pages{}
	err := db.EachRow(ctx, "measure "+o.Name+" of", query, []any{o.Name}, func(scan data.RowScanner) error {
		var kind string
		var p Pages
		if err := scan(&kind, &p.Count, &p.Cells, &p.Payload, &p.Unused); err != nil {
			return err
		}
		switch kind {
		case "internal":
			o.Internal = p
		case "leaf":
			o.Leaf = p
		case "overflow":
			o.Overflow = p
		default:
			return &data.Error{Path: db.Path(), Verb: "measure " + o.Name + " of", Kind: data.ErrDamaged}
		}
		return nil
	})
	if err != nil && strings.Contains(causeText(err), "no such table: dbstat") {
		return ErrNoPageTable
	}
	return err
}

// causeText returns what SQLite itself says of a failure.
func causeText(err error) string {
	var e *data.Error
	if errors.As(err, &e) && e.Err != nil {
		return e.Err.Error()
	}
	return err.Error()
}
