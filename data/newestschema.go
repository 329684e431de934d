package data

import (
	"context"
	_ "embed"
	"regexp"
	"strings"
)

//go:embed newest.sql
var newestSQL string

// SchemaObject is a table or an index as a row of the schema describes it.
type SchemaObject struct {
	Kind string // "table" or "index"; in a file also "view" or "trigger".
	Name string
	SQL  string // The statement that makes it.
}

var created = regexp.MustCompile(`(?i)^CREATE (UNIQUE )?(VIRTUAL )?(TABLE|INDEX) (\w+)`)

// NewestSchema returns the tables and indexes of the newest known version, for files whose own
// schema can't be read.
func NewestSchema() (out []SchemaObject) {
	for statement := range strings.SplitSeq(newestSQL, ";\n") {
		var lines []string
		for l := range strings.Lines(statement) {
			if !strings.HasPrefix(l, "--") {
				lines = append(lines, l)
			}
		}
		sql := strings.TrimSpace(strings.Join(lines, ""))
		if m := created.FindStringSubmatch(sql); m != nil {
			out = append(out, SchemaObject{Kind: strings.ToLower(m[3]), Name: m[4], SQL: sql})
		}
	}
	return out
}

// SchemaObjects lists the tables, indexes, views and triggers of the file with the statements that
// make them, as they stand in it.
func SchemaObjects(ctx context.Context, q Querier) ([]SchemaObject, error) {
	const query = "SELECT type, name, sql FROM main.sqlite_master WHERE sql IS NOT NULL ORDER BY type <> 'table', name"
	return Collect(ctx, q, "read schema", query, nil, func(scan RowScanner, o *SchemaObject) error {
		return scan((*Text)(&o.Kind), (*Text)(&o.Name), (*Text)(&o.SQL))
	})
}

// PragmaValues reads the settings of the file that SQLite knows by these names.
func PragmaValues(ctx context.Context, q Querier, names ...string) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range names {
		err := Each(ctx, q, "read settings", "PRAGMA "+name, nil, func(scan RowScanner) error {
			var v Text
			err := scan(&v)
			out[name] = string(v)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
