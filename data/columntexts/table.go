package columntexts

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"lcm-tui/data"
)

// Table is a table whose cells are visited.
type Table struct {
	Name string
	// Columns are those that may hold text.
	Columns []string
	// Key are the columns that name a row: its number, or the primary key where rows have none.
	Key []string
	// Search is the search table whose texts the table keeps, with the names that the columns
	// have there; empty for other tables.
	Search        string
	SearchColumns []string

	primary []string // The primary key.
	order   []string // The columns in whose order rows are visited; empty for that of the file.
	all     []string // All columns.
}

// HasNumbers reports whether the rows of the table have numbers.
func (t *Table) HasNumbers() bool { return len(t.Key) == 1 && t.Key[0] == rowNumber }

// rowNumber is the name of the number that SQLite gives to rows.
const rowNumber = "rowid"

// Has reports whether the table has a column.
func (t *Table) Has(column string) bool { return slices.Contains(t.all, column) }

// IsReference reports whether what stands in a column names a row, a conversation or a file, so
// that other places have to have the same.
func (t *Table) IsReference(column string) bool {
	if strings.HasPrefix(t.Name, "lcm_tui_") || t.Search != "" && t.searchColumn(column) == "content" {
		return false
	}
	if t.Search != "" {
		return true
	}
	lower := strings.ToLower(column)
	return slices.Contains(t.primary, column) || strings.HasSuffix(lower, "_id") || strings.HasSuffix(lower, "_key") || strings.HasSuffix(lower, "_hash") ||
		slices.Contains(referenceColumns, lower)
}

// referenceColumns are further columns whose texts name something.
var referenceColumns = []string{"storage_uri", "session_file_path", "file_ids", "version", "kind", "role", "status", "lease_owner"}

// searchColumn returns the name that a column has in the search table.
func (t *Table) searchColumn(column string) string {
	if i := slices.Index(t.Columns, column); i >= 0 && i < len(t.SearchColumns) {
		return t.SearchColumns[i]
	}
	return ""
}

const tablesSQL = `SELECT m.name, p.name, upper(coalesce(p.type, '')), p.pk, upper(coalesce(m.sql, '')) LIKE '%WITHOUT ROWID%'
	FROM main.sqlite_master m JOIN pragma_table_info(m.name, 'main') p
	WHERE m.type = 'table' AND upper(coalesce(m.sql, '')) NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name, p.cid`

// Tables lists the tables of a file or a home that have texts: messages first, then what belongs to them, and
// what this program keeps last.
func Tables(ctx context.Context, db *data.DB) ([]*Table, error) {
	if db.IsHome() {
		return tablesOfHome(db), nil
	}
	if of, isReplica := db.Replica(); isReplica {
		return nil, &data.ElsewhereError{Replica: of, Verb: "read all texts of"}
	}
	var out []*Table
	at := map[string]*Table{}
	err := db.EachRow(ctx, "list tables", tablesSQL, nil, func(scan data.RowScanner) error {
		var name, column, kind string
		var place int
		var unnumbered bool
		if err := scan(&name, &column, &kind, &place, &unnumbered); err != nil {
			return err
		}
		t := at[name]
		if t == nil {
			t = &Table{Name: name, Key: []string{rowNumber}}
			if unnumbered {
				t.Key = nil
			}
			at[name], out = t, append(out, t)
		}
		t.all = append(t.all, column)
		if place > 0 {
			t.primary = append(t.primary, column)
		}
		if mayHoldText(kind) {
			t.Columns = append(t.Columns, column)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, t := range out {
		if t.Key == nil {
			t.Key = t.primary
		}
		if err := t.findSearch(ctx, db, at); err != nil {
			return nil, err
		}
	}
	out = slices.DeleteFunc(out, func(t *Table) bool { return len(t.Columns) == 0 || isIndexData(t.Name, at) })
	slices.SortStableFunc(out, func(a, b *Table) int { return place(a) - place(b) })
	return out, nil
}

// tablesOfHome lists the tables of a home. Their rows are known by their primary keys.
func tablesOfHome(db *data.DB) (out []*Table) {
	home, _ := db.Replica()
	for _, name := range slices.Sorted(maps.Keys(home.Tables)) {
		t := &Table{Name: name}
		for _, c := range home.Tables[name].Columns {
			t.all = append(t.all, c.Name)
			if !c.Number {
				t.Columns = append(t.Columns, c.Name)
			}
			if c.Key > 0 {
				t.primary = append(t.primary, c.Name)
			}
		}
		t.Key, t.order = t.primary, t.primary
		if name == "message_parts" {
			t.order = []string{"message_id", "ordinal"} // An index has them, in about the order in which the rows came.
		}
		if len(t.Key) > 0 && len(t.Columns) > 0 {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *Table) int { return place(a) - place(b) })
	return out
}

// place returns where a table comes in the order of visits.
func place(t *Table) int {
	switch i := slices.Index([]string{"messages", "message_parts", "summaries"}, t.Name); {
	case i >= 0:
		return i
	case t.Search != "":
		return 5
	case strings.HasPrefix(t.Name, "lcm_tui_"):
		return 6
	}
	return 4
}

// mayHoldText reports whether a column of a declared type has texts: SQLite makes numbers of the
// texts for columns of numbers.
func mayHoldText(kind string) bool {
	return !strings.Contains(kind, "INT") && !strings.Contains(kind, "REAL") && !strings.Contains(kind, "FLOA") && !strings.Contains(kind, "DOUB")
}

// findSearch finds the search table whose texts the table keeps. Of a virtual table whose module this program doesn't have, SQLite can't
// say the columns: what stands behind it are tables as others. The columns of a host's search table are known also where it is so damaged
// that SQLite can't open it.
func (t *Table) findSearch(ctx context.Context, db *data.DB, all map[string]*Table) error {
	search, is := strings.CutSuffix(t.Name, "_content")
	if !is || all[search+"_docsize"] == nil || all[search] != nil {
		return nil
	}
	const query = "SELECT p.name FROM main.sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.name = ? AND m.sql LIKE 'CREATE VIRTUAL%fts5%'"
	err := db.EachRow(ctx, "list tables", query, []any{search}, func(scan data.RowScanner) error {
		t.Search = search
		t.SearchColumns = append(t.SearchColumns, "")
		return scan(&t.SearchColumns[len(t.SearchColumns)-1])
	})
	if !errors.Is(err, data.ErrRefused) {
		return err
	}
	t.Search, t.SearchColumns = "", nil
	if data.IsSearchTable(search) {
		columns, _ := data.SearchColumns(search)
		t.Search, t.SearchColumns = search, columns[1:] // Without the number of the row.
	}
	return nil
}

// isIndexData reports whether a table holds the index of a search table, whose texts are tokens.
func isIndexData(name string, all map[string]*Table) bool {
	for _, suffix := range []string{"_data", "_idx", "_docsize", "_config"} {
		if search, is := strings.CutSuffix(name, suffix); is && all[search] == nil && all[search+"_docsize"] != nil {
			return true
		}
	}
	return false
}

// quote returns a name as SQL.
func quote(name string) string { return data.QuoteName(name) }

// where returns the condition for the row with a key.
func (t *Table) where() string {
	parts := make([]string, 0, len(t.Key))
	for _, k := range t.Key {
		parts = append(parts, quoteKey(k)+" = ?")
	}
	return strings.Join(parts, " AND ")
}

func quoteKey(name string) string {
	if name == rowNumber {
		return name
	}
	return quote(name)
}
