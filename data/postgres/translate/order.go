package translate

import (
	"slices"
	"strings"
)

// ordered is what an ORDER BY sorts: the tables of one SELECT, and the names that its AS give. It is empty where several are united.
type ordered struct {
	tables []named
	names  []string
}

// order reads the list of an ORDER BY. NULL is the smallest value for SQLite and the greatest for PostgreSQL. Where a column is never
// NULL nothing is said of it: an index has one order of NULL only, and the rows would be sorted.
func (p queries) order(of ordered) string {
	var all []string
	for {
		e := p.expression()
		out, nulls := e.text, " NULLS FIRST"
		if e.kind != numberKind {
			out = e.ordered()
		}
		if p.takeWords("DESC") {
			out, nulls = out+" DESC", " NULLS LAST"
		} else {
			p.takeWords("ASC")
		}
		if p.takeWords("NULLS", "LAST") {
			nulls = " NULLS LAST"
		} else if p.takeWords("NULLS", "FIRST") {
			nulls = " NULLS FIRST"
		}
		if of.isNeverNull(e) {
			nulls = ""
		}
		all = append(all, out+nulls)
		if !p.takeSymbol(",") {
			return filledTimes(strings.Join(all, ", "), of.tables)
		}
	}
}

// isNeverNull reports whether an expression is a column that has a value in each row.
func (o ordered) isNeverNull(e expression) bool {
	if e.kind != valueKind || e.column == "" || e.alias == "" && slices.Contains(o.names, e.column) {
		return false
	}
	return slices.ContainsFunc(o.tables, func(t named) bool {
		return !t.optional && (e.alias == "" || quote(e.alias) == t.alias) && slices.Contains(t.table.NeverNull, e.column)
	})
}

// markOptional notes which tables of a FROM may have no row beside those of the others, after a join of this kind that added those from
// before on.
func (p queries) markOptional(kind string, before int) {
	from := before
	switch kind {
	case " FULL JOIN ":
		from = 0
	case " LEFT JOIN ":
	default:
		return
	}
	for i := range p.scope[from:] {
		p.scope[from+i].optional = true
	}
}
