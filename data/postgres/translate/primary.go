package translate

import (
	"strconv"
	"strings"
)

// primary reads a literal, a name, a call, or what stands in brackets.
func (p *parser) primary() expression {
	t := p.next()
	switch t.class {
	case number:
		return expression{text: t.text, kind: numberKind}
	case text:
		return expression{text: t.text, kind: textKind}
	case blob:
		return valueOf(`CAST('\x` + t.text + "' AS bytea)")
	case mark:
		n := p.parameter(t)
		return expression{text: "$" + strconv.Itoa(n), kind: parameterKind, number: n}
	case quotedName:
		return p.column(t.text)
	case symbol:
		if t.text == "(" {
			return p.bracket()
		}
	case word:
		return p.word(t)
	}
	p.fail("%q where a value is wanted", t.text)
	return expression{}
}

// bracket reads what stands between brackets, the first of which is taken.
func (p *parser) bracket() expression {
	if p.isQuery() {
		out := "(" + p.query() + ")"
		p.need(")")
		return expression{text: out, kind: p.first}
	}
	e := p.expression()
	if p.takeSymbol(",") {
		out := "(" + e.value() + ", " + strings.Join(p.values(), ", ") + ")"
		p.need(")")
		return valueOf(out)
	}
	p.need(")")
	return e
}

// column reads the rest of a column's name, which may follow that of its table.
func (p *parser) column(first string) expression {
	if !p.isSymbol(".") {
		return expression{text: quote(first), column: first}
	}
	p.next()
	second := p.name()
	if p.takeSymbol(".") { // main.table.column
		return valueOf(quote(second) + "." + quote(p.name()))
	}
	return expression{text: quote(first) + "." + quote(second), alias: first, column: second}
}

// word reads what begins with a word: a keyword, a call or a column.
func (p *parser) word(t token) expression {
	switch t.upper {
	case "NULL":
		return expression{text: "NULL", kind: nullKind}
	case "TRUE":
		return conditionOf("true")
	case "FALSE":
		return conditionOf("false")
	case "NOT":
		p.needWord("EXISTS")
		return p.exists("NOT EXISTS ")
	case "EXISTS":
		return p.exists("EXISTS ")
	case "CASE":
		return p.caseOf()
	case "CAST":
		return p.cast()
	}
	if isReserved(t.upper) {
		p.fail("%s where a value is wanted", t.text)
	}
	if p.isSymbol("(") {
		return p.call(strings.ToLower(t.text))
	}
	return p.column(t.text)
}

func (p *parser) exists(keyword string) expression {
	p.need("(")
	out := conditionOf("(" + keyword + "(" + p.query() + "))")
	p.need(")")
	return out
}

// caseOf reads the rest of a CASE.
func (p *parser) caseOf() expression {
	of := ""
	if !p.isWord("WHEN") {
		of = p.expression().value()
	}
	var whens []string
	var thens []expression
	for p.takeWords("WHEN") {
		when := p.expression()
		if of == "" {
			whens = append(whens, " WHEN "+when.condition())
		} else {
			whens = append(whens, " WHEN "+when.value())
		}
		p.needWord("THEN")
		thens = append(thens, p.expression())
	}
	if p.takeWords("ELSE") {
		whens = append(whens, "")
		thens = append(thens, p.expression())
	}
	p.needWord("END")
	values, k := p.alike(thens)
	out := "(CASE " + of
	for i, when := range whens {
		if when == "" {
			out += " ELSE " + values[i]
		} else {
			out += when + " THEN " + values[i]
		}
	}
	return expression{text: out + " END)", kind: k}
}

// cast reads the rest of a CAST.
func (p *parser) cast() expression {
	p.need("(")
	e := p.expression()
	p.needWord("AS")
	to := strings.ToUpper(p.name())
	p.need(")")
	switch to {
	case "BLOB":
		if e.column == "" && p.isEncoded() {
			return expression{text: p.bytesOf("CAST(" + e.value() + " AS text)"), kind: bytesKind}
		}
		return expression{text: e.value(), kind: blobKind, alias: e.alias, column: e.column}
	case "TEXT":
		return valueOf("CAST(" + e.value() + " AS text)")
	case "INTEGER", "INT":
		return valueOf("(CASE WHEN " + e.value() + " IS NOT NULL THEN coalesce(CAST(substring(CAST(" + e.value() + ` AS text) from '^\s*([+-]?\d{1,18})') AS bigint), 0) END)`)
	case "REAL":
		return valueOf("CAST(" + e.value() + " AS double precision)")
	}
	p.fail("CAST to %s", to)
	return e
}
