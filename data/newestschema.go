package data

import (
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

// NewestSchema are the tables and indexes of the newest known version, for files whose own
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
