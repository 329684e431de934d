package translate

import "strings"

// kind is what an expression is in PostgreSQL.
type kind int

const (
	valueKind     kind = iota
	conditionKind      // A boolean.
	numberKind         // A literal.
	textKind           // A literal.
	nullKind
	parameterKind
	blobKind  // CAST(… AS BLOB): its text is what is cast.
	bytesKind // A part of a BLOB.
	cellKind  // What a JSON has at a path, as text.
	jsonKind  // A JSON that isn't a text.
)

// expression is an expression in SQL of PostgreSQL.
type expression struct {
	text   string
	kind   kind
	number int // Of a parameter.
	// Of a column: its name and the alias of its table, or of what was cast to a BLOB.
	alias, column string
	parts         []string // Of a coalesce: its arguments, which may be of several types.
	isFilled      bool     // It is never NULL.
	missing       string   // The condition that it is NULL, where that takes less time than its value.
}

// value returns the expression where a value is wanted. A condition is 0 or 1.
func (e expression) value() string {
	switch e.kind {
	case conditionKind:
		return "CAST(CAST(" + e.text + " AS integer) AS bigint)"
	case blobKind:
		if e.column != "" {
			return placeOf("B", e)
		}
		return "convert_to(CAST(" + e.text + " AS text), 'UTF8')"
	}
	return e.text
}

// columnKind returns what a column is that has the value of the expression.
func (e expression) columnKind() kind {
	if e.isBytes() {
		return bytesKind
	}
	if e.kind == cellKind {
		return cellKind
	}
	return valueKind
}

// condition returns the expression where a condition is wanted. A number other than 0 is true.
func (e expression) condition() string {
	switch e.kind {
	case conditionKind:
		return e.text
	case nullKind:
		return "CAST(NULL AS boolean)"
	case numberKind:
		if strings.Trim(e.text, "0.") == "" {
			return "false"
		}
		return "true"
	}
	return "(" + e.value() + " <> 0)"
}

// operand returns the expression where a number is wanted: what a JSON has is a text.
func (e expression) operand() string {
	if e.kind == cellKind {
		return "CAST(" + e.value() + " AS numeric)"
	}
	return e.value()
}

// ordered returns the expression where rows are sorted by it.
func (e expression) ordered() string {
	if e.kind == conditionKind {
		return e.text
	}
	return e.value()
}

// asBytes returns an expression where bytes are wanted.
func (p *parser) asBytes(e expression) string {
	switch {
	case e.kind == bytesKind || e.kind == nullKind:
		return e.text
	case e.column != "":
		return placeOf("B", e)
	case e.kind == textKind:
		return "convert_to(" + e.text + ", 'UTF8')"
	}
	return p.bytesOf(expression{text: e.text}.asText())
}

// isBytes reports whether the expression is a BLOB or a part of one.
func (e expression) isBytes() bool { return e.kind == bytesKind || e.kind == blobKind }

// alike returns values that stand for each other, as of one type, and the kind of that.
func (p *parser) alike(all []expression) (out []string, k kind) {
	for _, e := range all {
		if e.isBytes() {
			k = bytesKind
		} else if e.kind == cellKind && k == valueKind {
			k = cellKind
		}
	}
	for _, e := range all {
		switch {
		case k == bytesKind:
			out = append(out, p.asBytes(e))
		case k == cellKind && e.kind != nullKind:
			out = append(out, e.asText())
		default:
			out = append(out, e.value())
		}
	}
	return out, k
}

// asText returns the expression where a text is wanted.
func (e expression) asText() string {
	if e.kind == textKind {
		return e.text
	}
	if e.kind == bytesKind {
		return "convert_from(" + e.text + ", 'UTF8')"
	}
	return "CAST(" + e.value() + " AS text)"
}

func valueOf(text string) expression     { return expression{text: text} }
func conditionOf(text string) expression { return expression{text: text, kind: conditionKind} }

func isText(arg any) bool {
	_, ok := arg.(string)
	return ok
}

// values reads expressions with commas between them, as values.
func (p *parser) values() (out []string) {
	for {
		out = append(out, p.expression().value())
		if !p.takeSymbol(",") {
			return out
		}
	}
}

// expression reads an expression with all its operators.
func (p *parser) expression() expression {
	defer p.deeper()()
	left := p.conjunction()
	for p.isWord("OR") {
		all := []string{left.condition()}
		for p.takeWords("OR") {
			all = append(all, p.conjunction().condition())
		}
		left = conditionOf("(" + strings.Join(all, " OR ") + ")")
	}
	return left
}

func (p *parser) conjunction() expression {
	left := p.negation()
	for p.isWord("AND") {
		all := []string{left.condition()}
		for p.takeWords("AND") {
			all = append(all, p.negation().condition())
		}
		left = conditionOf("(" + strings.Join(all, " AND ") + ")")
	}
	return left
}

func (p *parser) negation() expression {
	if p.isWord("NOT") && p.ahead(1).upper != "EXISTS" {
		defer p.deeper()()
		p.next()
		return conditionOf("(NOT " + p.negation().condition() + ")")
	}
	return p.equality()
}

// equality reads the operators =, IS, IN, LIKE and those as strong as they are.
func (p *parser) equality() expression {
	left := p.comparison()
	for {
		not := ""
		switch {
		case p.takeSymbol("="), p.takeSymbol("=="):
			left = compared(left, "=", p.comparison())
			continue
		case p.takeSymbol("<>"), p.takeSymbol("!="):
			left = compared(left, "<>", p.comparison())
			continue
		case p.takeWords("IS"):
			left = p.is(left)
			continue
		case p.takeWords("ISNULL"):
			left = isNull(left, false)
			continue
		case p.takeWords("NOTNULL"), p.takeWords("NOT", "NULL"):
			left = isNull(left, true)
			continue
		case p.takeWords("NOT"):
			not = "NOT "
		}
		switch {
		case p.takeWords("IN"):
			left = p.in(left, not)
		case p.takeWords("BETWEEN"):
			from := p.comparison()
			p.needWord("AND")
			left = conditionOf("(" + left.value() + " " + not + "BETWEEN " + from.value() + " AND " + p.comparison().value() + ")")
		case p.takeWords("LIKE"):
			left = p.like(left, not)
		case p.takeWords("GLOB"):
			left = p.glob(left, not)
		case not != "":
			p.fail("NOT before %q", p.peek().text)
		default:
			return left
		}
	}
}

// compared returns the comparison of two values. What a JSON has is a text, so that a number is compared with it as one.
func compared(left expression, operator string, right expression) expression {
	if left.kind == cellKind && right.kind == numberKind {
		right = expression{text: "'" + right.text + "'", kind: textKind}
	}
	return conditionOf("(" + left.value() + " " + operator + " " + right.value() + ")")
}

// comparison reads the operators < and >.
func (p *parser) comparison() expression {
	left := p.bits()
	for {
		t := p.peek()
		if t.class != symbol || t.text != "<" && t.text != ">" && t.text != "<=" && t.text != ">=" {
			return left
		}
		p.next()
		left = compared(left, t.text, p.bits())
	}
}

// operators are those between values, the weakest first.
var operators = [][]string{{"&", "|", "<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (p *parser) bits() expression { return p.binary(0) }

// binary reads the operators of one strength.
func (p *parser) binary(level int) expression {
	if level == len(operators) {
		return p.joined()
	}
	left := p.binary(level + 1)
next:
	for {
		for _, o := range operators[level] {
			if p.takeSymbol(o) {
				left = valueOf("(" + left.operand() + " " + o + " " + p.binary(level+1).operand() + ")")
				continue next
			}
		}
		return left
	}
}

// joined reads texts with || between them, and values of JSON after ->>.
func (p *parser) joined() expression {
	left := p.collated()
	for {
		switch {
		case p.takeSymbol("||"):
			left = p.concatenated(left, p.collated())
		case p.takeSymbol("->>"):
			left = jsonCell([]expression{left, p.collated()})
		default:
			return left
		}
	}
}

// concatenated returns two values one after the other. With a part of a BLOB, which may end within a character, they are bytes.
func (p *parser) concatenated(left, right expression) expression {
	if left.isBytes() || right.isBytes() {
		return expression{text: "(" + p.asBytes(left) + " || " + p.asBytes(right) + ")", kind: bytesKind}
	}
	return valueOf("(" + left.asText() + " || " + right.asText() + ")")
}

// collated reads a value with its COLLATE: only the order of bytes is known.
func (p *parser) collated() expression {
	e := p.unary()
	for p.takeWords("COLLATE") {
		switch name := p.name(); {
		case strings.EqualFold(name, "BINARY"):
		case strings.EqualFold(name, "NOCASE"):
			e = valueOf("lower(" + e.asText() + ` COLLATE "C")`)
		default:
			p.fail("COLLATE %s", name)
		}
	}
	return e
}

func (p *parser) unary() expression {
	switch {
	case p.takeSymbol("-"):
		defer p.deeper()()
		return valueOf("(-" + p.unary().value() + ")")
	case p.takeSymbol("+"): // SQLite uses no index then.
		defer p.deeper()()
		return p.unary()
	}
	return p.primary()
}
