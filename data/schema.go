package data

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/internal/sorting"
)

// Schema says what one file can do: which tables and columns it has. It is
// probed once, when the file is opened. Columns that came by ALTER stand at the
// end of a table on old files and in its middle on new ones, so everything is
// read by name.
type Schema struct {
	tables map[string]table
	// FTS are the search tables that can be kept in step: those that exist
	// whole, with their five shadow tables and the columns that hosts expect.
	FTS []string
	// BrokenFTS are the search tables that exist but can't be written.
	BrokenFTS []string
	// Triggers are those on tables of the format or of this program. Such a file isn't written.
	Triggers []Trigger

	encoding string // In which its texts are stored, as SQLite calls it; empty where nothing says it.
	lacking  string // Names the tables and columns that every version of the format has and that the file lacks.
}

type table struct {
	columns []column
	key     []string // Of the columns of its primary key.
	rowid   bool     // Its rows have numbers of their own.
}

type column struct {
	name     string
	required bool // NOT NULL without a default.
	pk       int  // The place in the primary key, from 1, or 0.
	number   bool // Declared as an integer or a floating-point number.
}

// CoreTables are the tables that every version of the format has.
var CoreTables = []string{
	"conversations", "messages", "message_parts", "summaries",
	"summary_messages", "summary_parents", "context_items", "large_files",
}

// Has reports whether the file has the table and, if given, all the columns.
func (s *Schema) Has(name string, columns ...string) bool {
	t, ok := s.tables[name]
	if !ok {
		return false
	}
	for _, c := range columns {
		if !slices.ContainsFunc(t.columns, func(k column) bool { return k.name == c }) {
			return false
		}
	}
	return true
}

// Missing returns the core tables that the file lacks.
func (s *Schema) Missing() (out []string) {
	for _, n := range CoreTables {
		if !s.Has(n) {
			out = append(out, n)
		}
	}
	return out
}

// Tables returns the names of the file's ordinary tables, in order.
func (s *Schema) Tables() []string {
	names := make([]string, 0, len(s.tables))
	for n := range s.tables {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Columns returns the columns of a table, in its own order.
func (s *Schema) Columns(name string) []string {
	t := s.tables[name]
	out := make([]string, 0, len(t.columns))
	for _, c := range t.columns {
		out = append(out, c.name)
	}
	return out
}

// TextColumns returns the columns of a table that aren't declared as numbers, in its own order.
func (s *Schema) TextColumns(name string) (out []string) {
	for _, c := range s.tables[name].columns {
		if !c.number {
			out = append(out, c.name)
		}
	}
	return out
}

// HasRowIDs reports whether the rows of a table have numbers of their own.
func (s *Schema) HasRowIDs(name string) bool { return s.tables[name].rowid }

// Key returns the columns of the table's primary key. All changes of the table share them.
func (s *Schema) Key(name string) []string { return s.tables[name].key }

// keyOf returns the names of the columns of a primary key in its order.
func keyOf(columns []column) []string {
	cs := slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return c.pk == 0 })
	sorting.Stable(cs, func(a, b *column) int { return a.pk - b.pk })
	out := make([]string, 0, len(cs))
	for _, c := range cs {
		out = append(out, c.name)
	}
	return slices.Clip(out)
}

// Expr returns alias.column if the file has it, else the SQL literal instead.
func (s *Schema) Expr(tableName, alias, column, instead string) string {
	if !s.Has(tableName, column) {
		return instead
	}
	return alias + "." + column
}

// Exprs returns the columns of a table under an alias, NULL where the file lacks one.
func (s *Schema) Exprs(tableName, alias string, columns ...string) string {
	out := make([]string, 0, len(columns))
	for _, c := range columns {
		out = append(out, s.Expr(tableName, alias, c, "NULL"))
	}
	return strings.Join(out, ", ")
}

const probeSQL = `SELECT m.name, p.name, p."notnull" AND p.dflt_value IS NULL AND p.pk = 0, p.pk,
		p.type LIKE '%INT%' OR p.type LIKE '%REAL%' OR p.type LIKE '%FLOA%' OR p.type LIKE '%DOUB%', m.sql NOT LIKE '%WITHOUT ROWID%'
	FROM main.sqlite_master m JOIN pragma_table_info(m.name, 'main') p
	WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name, p.cid`

// Probe reads the schema of the file that q is connected to.
func Probe(ctx context.Context, q Connection) (*Schema, error) {
	s := &Schema{tables: map[string]table{}}
	err := EachRow(ctx, q, probeSQL, nil, func(scan RowScanner) error {
		var name string
		var c column
		var rowid bool
		if err := scan(&name, &c.name, &c.required, &c.pk, &c.number, &rowid); err != nil {
			return err
		}
		t := s.tables[name]
		t.rowid = rowid
		t.columns = append(t.columns, c)
		s.tables[name] = t
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, t := range s.tables {
		t.key = keyOf(t.columns)
		s.tables[name] = t
	}
	s.noteLacking()
	if err := EachRow(ctx, q, "PRAGMA encoding", nil, func(scan RowScanner) error { return scan(&s.encoding) }); err != nil {
		return nil, err
	}
	if err := s.probeTriggers(ctx, q); err != nil {
		return nil, err
	}
	return s, s.probeFTS(ctx, q)
}

// noteLacking notes which tables and columns are missing.
func (s *Schema) noteLacking() {
	s.lacking = joined("; ", listOf("the table", "the tables", s.Missing()), listOf("the column", "the columns", s.MissingColumns()))
}

// HasCore reports whether the file has these core tables with the columns that all versions
// have. Files of related programs may have others.
func (s *Schema) HasCore(tables ...string) bool {
	for _, t := range tables {
		if !s.Has(t, coreKeyColumns[t]...) {
			return false
		}
	}
	return true
}

// coreKeyColumns are the columns of core tables that every version has and that are asked
// for by name.
var coreKeyColumns = map[string][]string{
	"conversations":    {"conversation_id", "session_id"},
	"messages":         {"message_id", "conversation_id", "seq", "role", "content", "token_count", "created_at"},
	"message_parts":    {"part_id", "message_id", "part_type", "ordinal"},
	"summaries":        {"summary_id", "conversation_id", "kind", "content", "token_count", "created_at"},
	"summary_messages": {"summary_id", "message_id", "ordinal"},
	"summary_parents":  {"summary_id", "parent_summary_id", "ordinal"},
	"context_items":    {"conversation_id", "ordinal", "item_type", "message_id", "summary_id"},
	"large_files":      {"file_id", "conversation_id"},
}

// Stored returns a list of columns under an alias, NULL where the file lacks one.
func (s *Schema) Stored(table, alias, columns string) string {
	return s.Exprs(table, alias, strings.Fields(columns)...)
}
