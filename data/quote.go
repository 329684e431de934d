package data

import (
	"net/url"
	"strings"
)

// WhereSQL asks for a row with exactly these values. IS would do for NULL too, but
// search tables don't find a row by it without reading all.
func WhereSQL(r Row) (string, []any) {
	var conds []string
	var args []any
	for _, col := range r.Columns() {
		if r[col] == nil {
			conds = append(conds, QuoteName(col)+" IS NULL")
			continue
		}
		conds, args = append(conds, QuoteName(col)+" = ?"), append(args, r[col])
	}
	return " WHERE " + strings.Join(conds, " AND "), args
}

// QuoteName returns a name as an SQL identifier. Backticks, because SQLite takes a name in
// double quotes that it doesn't know for a string, and brackets hold no bracket.
func QuoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// QuoteAll returns a list of names as SQL identifiers.
func QuoteAll(names []string) string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		out = append(out, QuoteName(n))
	}
	return strings.Join(out, ", ")
}

// quoteText returns a text as an SQL literal.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// AttachSQL returns the statement that makes the file at path readable on a connection, under a name.
func AttachSQL(path, name string) string {
	uri := FileURI(path, url.Values{"mode": {modeReadOnly}}.Encode())
	return "ATTACH " + quoteText(uri) + " AS " + QuoteName(name)
}
