package translate

import (
	"strconv"
	"strings"
)

// isNull returns the condition that a value is NULL, or isn't.
func isNull(e expression, not bool) expression {
	if e.missing != "" && not {
		return conditionOf("(NOT " + e.missing + ")")
	}
	if e.missing != "" {
		return conditionOf(e.missing)
	}
	parts, end, joint := e.parts, " IS NULL", " AND "
	if len(parts) == 0 {
		parts = []string{e.value()}
	}
	if not {
		end, joint = " IS NOT NULL", " OR "
	}
	return conditionOf("(" + strings.Join(parts, end+joint) + end + ")")
}

// is reads what follows IS, which compares any two values, NULL included.
func (p *parser) is(left expression) expression {
	not := p.takeWords("NOT")
	if p.takeWords("DISTINCT", "FROM") {
		not = !not
	}
	if p.takeWords("NULL") {
		return isNull(left, not)
	}
	operator := " IS NOT DISTINCT FROM "
	if not {
		operator = " IS DISTINCT FROM "
	}
	return conditionOf("(" + left.value() + operator + p.comparison().value() + ")")
}

// in reads what follows IN: a list, a query, or the name of a table.
func (p *parser) in(left expression, not string) expression {
	if !p.takeSymbol("(") {
		name := p.name()
		from := quote(name)
		if p.ctes[name] == 0 {
			from = queries{p}.table(name).Query + " AS " + quote(name)
		}
		return conditionOf("(" + left.value() + " " + not + "IN (SELECT * FROM " + from + "))")
	}
	if p.takeSymbol(")") {
		if not != "" {
			return conditionOf("true")
		}
		return conditionOf("false")
	}
	if n := p.emptyList(); n > 0 {
		return conditionOf("(" + not + "($" + strconv.Itoa(n) + " IS NULL AND false))")
	}
	var inside string
	if p.isQuery() {
		inside = p.query()
	} else {
		inside = strings.Join(p.values(), ", ")
	}
	p.need(")")
	return conditionOf("(" + left.value() + " " + not + "IN (" + inside + "))")
}

// emptyList takes "SELECT value FROM json_each(?))" if the parameter is a list of nothing, whose type nobody knows, and returns
// the parameter's number, else 0.
func (p *parser) emptyList() int {
	for i, want := range []string{"SELECT", "VALUE", "FROM", "JSON_EACH", "("} {
		if t := p.ahead(i); t.upper != want && t.text != want {
			return 0
		}
	}
	t := p.ahead(5)
	if t.class != mark || p.ahead(6).text != ")" || p.ahead(7).text != ")" {
		return 0
	}
	marks := p.marks
	n := p.parameter(t)
	if list, ok := p.args[n-1].(string); !ok || list != "[]" && list != "null" {
		p.marks = marks
		return 0
	}
	p.at += 8
	return n
}

// like reads what follows LIKE, which knows the case of letters of ASCII only.
func (p *parser) like(left expression, not string) expression {
	pattern := p.comparison()
	escape := "''" // SQLite has none unless it is given.
	if p.takeWords("ESCAPE") {
		escape = p.comparison().value()
	}
	return conditionOf("(" + left.asText() + ` COLLATE "C" ` + not + "ILIKE " + pattern.asText() + " ESCAPE " + escape + ")")
}

// glob reads what follows GLOB: a literal with * and ? in it.
func (p *parser) glob(left expression, not string) expression {
	t := p.next()
	if t.class != text || strings.ContainsAny(t.text, "[]") {
		p.fail("GLOB with %q", t.text)
	}
	escaped := strings.NewReplacer("%", "#%", "_", "#_", "#", "##", "*", "%", "?", "_").Replace(t.text)
	return conditionOf("(" + left.asText() + " " + not + "LIKE " + escaped + " ESCAPE '#')")
}
