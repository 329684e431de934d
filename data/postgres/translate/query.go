package translate

import (
	"slices"
	"strconv"
	"strings"
)

// queries reads queries: what stands around expressions.
type queries struct{ *parser }

// query reads a query with its WITH, ORDER BY and LIMIT.
func (p queries) query() string {
	defer p.deeper()()
	var b strings.Builder
	var names []string
	if p.takeWords("WITH") {
		p.takeWords("RECURSIVE")
		b.WriteString("WITH RECURSIVE ")
		names = p.commonTables(&b)
	}
	b.WriteString(p.compound(p.depth == 1))
	lastOrder, from := p.lastOrder, p.lastFrom
	if p.takeWords("ORDER", "BY") {
		b.WriteString(" ORDER BY " + p.order(from) + lastOrder)
	} else if lastOrder != "" {
		b.WriteString(" ORDER BY " + strings.TrimPrefix(lastOrder, ", "))
	}
	b.WriteString(p.limit())
	for _, n := range names {
		p.ctes[n]--
	}
	return b.String()
}

// commonTables reads the queries of a WITH, and returns their names.
func (p queries) commonTables(b *strings.Builder) (names []string) {
	for {
		name := p.name()
		names = append(names, name)
		p.ctes[name]++
		b.WriteString(quote(name))
		if p.takeSymbol("(") {
			b.WriteString("(" + p.names() + ")")
		}
		p.needWord("AS")
		b.WriteString(" AS ")
		if p.takeWords("NOT", "MATERIALIZED") {
			b.WriteString("NOT MATERIALIZED ")
		} else if p.takeWords("MATERIALIZED") {
			b.WriteString("MATERIALIZED ")
		}
		p.need("(")
		b.WriteString("(" + p.query() + ")")
		p.need(")")
		if !p.takeSymbol(",") {
			b.WriteString(" ")
			return names
		}
		b.WriteString(", ")
	}
}

// names reads a list of names and its closing bracket.
func (p queries) names() string {
	var all []string
	for {
		all = append(all, quote(p.name()))
		if !p.takeSymbol(",") {
			p.need(")")
			return strings.Join(all, ", ")
		}
	}
}

// compound reads queries with UNION and the like between them.
func (p queries) compound(top bool) string {
	out := p.core(top && !p.hasUnion())
	for one := true; ; one = false {
		if !one {
			p.lastFrom = ordered{}
		}
		switch {
		case p.takeWords("UNION", "ALL"):
			out += " UNION ALL " + p.core(false)
		case p.takeWords("UNION"):
			out += " UNION " + p.core(false)
		case p.takeWords("EXCEPT"):
			out += " EXCEPT " + p.core(false)
		case p.takeWords("INTERSECT"):
			out += " INTERSECT " + p.core(false)
		default:
			return out
		}
	}
}

// row reads one row of a VALUES.
func (p queries) row() (out []string) {
	for {
		e := p.expression()
		value := p.typed(e)
		if e.kind == parameterKind && p.numbers && isNumber(p.args[e.number-1]) {
			value = "CAST(" + e.text + " AS bigint)"
		}
		out = append(out, value)
		if !p.takeSymbol(",") {
			return out
		}
	}
}

// typed returns a value where nothing else says of which type a parameter is.
func (p queries) typed(e expression) string {
	if e.kind != parameterKind {
		return e.value()
	}
	switch p.args[e.number-1].(type) {
	case int64:
		return "CAST(" + e.text + " AS bigint)"
	case float64:
		return "CAST(" + e.text + " AS double precision)"
	}
	return e.value()
}

// isNumber reports whether a parameter is a text that is a whole number.
func isNumber(arg any) bool {
	s, ok := arg.(string)
	if !ok {
		return false
	}
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

// hasUnion reports whether UNION or the like follows.
func (p queries) hasUnion() bool {
	return slices.ContainsFunc(p.tokens[p.at:], func(t token) bool {
		return t.upper == "UNION" || t.upper == "EXCEPT" || t.upper == "INTERSECT"
	})
}

// core reads one SELECT or VALUES.
func (p queries) core(top bool) string {
	if p.takeWords("VALUES") {
		var rows []string
		for {
			p.need("(")
			rows = append(rows, "("+strings.Join(p.row(), ", ")+")")
			p.need(")")
			if !p.takeSymbol(",") {
				p.lastFrom = ordered{}
				return "VALUES " + strings.Join(rows, ", ")
			}
		}
	}
	p.needWord("SELECT")
	out, lastOrder := "SELECT ", ""
	if p.takeWords("DISTINCT") {
		out += "DISTINCT "
	} else {
		p.takeWords("ALL")
	}
	aggregates := p.aggregates
	items, columns, names := p.items()
	p.lastOrder = ""
	first, outer := p.first, p.scope
	defer func() { p.first, p.scope = first, outer }()
	p.scope = nil
	if p.takeWords("FROM") {
		from := p.from()
		if top && !p.isWord("GROUP") && !strings.HasSuffix(out, "DISTINCT ") {
			items = p.withOddCells(items, columns)
		}
		if t := p.scope; top && len(t) > 0 && t[0].table.HasNumber && p.aggregates == aggregates && !p.isWord("GROUP") && !strings.HasSuffix(out, "DISTINCT ") {
			lastOrder = ", " + t[0].alias + `."rowid"`
		}
		out += strings.Join(items, ", ") + " FROM " + from
	} else {
		out += strings.Join(items, ", ")
	}
	if p.takeWords("WHERE") {
		out += " WHERE " + p.expression().condition()
	}
	if p.takeWords("GROUP", "BY") {
		out += " GROUP BY " + strings.Join(p.values(), ", ")
	}
	if p.takeWords("HAVING") {
		out += " HAVING " + p.expression().condition()
	}
	p.lastOrder, p.lastFrom = lastOrder, ordered{p.scope, names}
	return filled(out, p.scope)
}

// withOddCells returns the columns of a result with the cells that they can't hold, and notes which they are.
func (p queries) withOddCells(items []string, columns []expression) []string {
	for i, c := range columns {
		if t, ok := tableOf(p.scope, c.alias, c.column); ok && c.kind == valueKind && len(columns) == len(items) {
			items[i] = placeOf("C", c)
			p.odd = append(p.odd, OddColumn{Place: i, Table: t.name, Column: c.column})
		}
	}
	return items
}

// items reads what a SELECT returns. columns has what each is, and less where one stands for several; names are those that AS gives.
func (p queries) items() (all []string, columns []expression, names []string) {
	for {
		item, e, one := p.item(&names)
		all = append(all, item)
		if one {
			columns = append(columns, e)
		}
		if !p.takeSymbol(",") {
			p.first = valueKind
			if len(columns) > 0 {
				p.first = columns[0].columnKind()
			}
			return all, columns, names
		}
	}
}

func (p queries) item(names *[]string) (out string, e expression, one bool) {
	if p.takeSymbol("*") {
		return "*", e, false
	}
	if t := p.ahead(2); p.ahead(1).text == "." && t.class == symbol && t.text == "*" {
		table := p.name()
		p.at += 2
		return quote(table) + ".*", e, false
	}
	e = p.expression()
	out = p.typed(e)
	if e.kind == parameterKind && isText(p.args[e.number-1]) {
		out = "CAST(" + out + ` AS text) COLLATE "C"`
	} else if e.kind == textKind {
		out += ` COLLATE "C"`
	}
	if t := p.peek(); p.takeWords("AS") || t.class == quotedName || t.class == word && !isReserved(t.upper) {
		name := p.name()
		*names = append(*names, name)
		out += " AS " + quote(name)
	}
	return out, e, true
}

// from reads the tables of a SELECT.
func (p queries) from() string {
	out := p.source()
	for {
		kind := ""
		switch {
		case p.takeSymbol(","):
			out += " CROSS JOIN " + p.source()
			continue
		case p.takeWords("JOIN"), p.takeWords("INNER", "JOIN"), p.takeWords("CROSS", "JOIN"):
			kind = " JOIN "
		case p.takeWords("LEFT", "JOIN"), p.takeWords("LEFT", "OUTER", "JOIN"):
			kind = " LEFT JOIN "
		case p.takeWords("FULL", "JOIN"), p.takeWords("FULL", "OUTER", "JOIN"):
			kind = " FULL JOIN "
		default:
			return out
		}
		before := len(p.scope)
		source := p.source()
		p.markOptional(kind, before)
		switch {
		case p.takeWords("ON"):
			out += kind + source + " ON " + p.expression().condition()
		case p.takeWords("USING"):
			p.need("(")
			out += kind + source + " USING (" + p.names() + ")"
		case kind == " JOIN ":
			out += " CROSS JOIN " + source
		default:
			out += kind + source + " ON true"
		}
	}
}

// source reads one table, query or function of a FROM, with its alias.
func (p queries) source() string {
	if p.takeSymbol("(") {
		if !p.isWord("SELECT") && !p.isWord("WITH") && !p.isWord("VALUES") {
			out := "(" + p.from() + ")"
			p.need(")")
			return out
		}
		out := "(" + p.query() + ")"
		p.need(")")
		return out + " AS " + p.aliasOr(p.alias())
	}
	name := p.name()
	if p.takeSymbol(".") {
		if schema := name; !strings.EqualFold(schema, "main") {
			p.fail("the database %s", schema)
		}
		return p.tableAs(p.name())
	}
	if p.takeSymbol("(") {
		return p.tableFunction(name)
	}
	if p.ctes[name] > 0 {
		return quote(name) + " AS " + p.aliasOr(quote(name))
	}
	return p.tableAs(name)
}

// tableAs returns what stands in the place of a table, with its alias.
func (p queries) tableAs(name string) string {
	t := p.table(name)
	alias := p.aliasOr(quote(name))
	p.scope = append(p.scope, named{alias: alias, name: name, table: t})
	return t.Query + " AS " + alias
}

// table returns what stands in the place of a table.
func (p queries) table(name string) Table {
	t, ok := p.tables(name)
	if !ok {
		p.fail("the table %s", name)
	}
	return t
}

// aliasOr reads an alias, or returns another one where there is none.
func (p queries) aliasOr(instead string) string {
	defer func() {
		if p.takeWords("INDEXED", "BY") {
			p.name()
		}
		p.takeWords("NOT", "INDEXED")
	}()
	if p.takeWords("AS") {
		return quote(p.name())
	}
	if t := p.peek(); t.class == quotedName || t.class == word && !isReserved(t.upper) {
		return quote(p.name())
	}
	return instead
}

// limit reads LIMIT and OFFSET. A negative limit is none.
func (p queries) limit() (out string) {
	if !p.takeWords("LIMIT") {
		return ""
	}
	e := p.expression()
	limit := e.value()
	if e.kind == parameterKind {
		if n, ok := p.args[e.number-1].(int64); ok && n < 0 {
			limit = "nullif(" + limit + ", " + limit + ")"
		}
	}
	if strings.HasPrefix(limit, "(-") {
		limit = "NULL"
	}
	out = " LIMIT " + limit
	if p.takeWords("OFFSET") {
		out += " OFFSET " + p.expression().value()
	}
	return out
}
