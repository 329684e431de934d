package translate

import (
	"slices"
	"strings"

	"lcm-tui/internal/lazyregexp"
)

// What a column can't hold stands in another one. Which table a column is of is known only when the FROM of its query was read, so a
// place is left in the text until then. No statement has the sign that begins it.

// named is a table of a FROM by its alias, in quotes.
type named struct {
	alias string
	name  string
	table Table
	// optional says that a row of the others may stand without one of it: its columns are NULL there.
	optional bool
}

const placeSign = "\x00"

// place matches what is left in a text: what is wanted of a column, the alias of its table or nothing, and its name.
var place = lazyregexp.New("\x00([CBELT])([^\x00]*)\x00([^\x00]*)\x00")

// placeOf leaves a place for a column: C is for its cell, B for its bytes, E for how many those are, and L for how many stand in the
// table, which are others where texts are encoded there. T is for the condition that a time isn't known to be a usual one.
func placeOf(what string, e expression) string {
	return placeSign + what + e.alias + placeSign + e.column + placeSign
}

// filled puts what is wanted into the places for columns of these tables.
func filled(out string, scope []named) string {
	if !strings.Contains(out, placeSign) {
		return out
	}
	return place.ReplaceAllStringFunc(filledTimes(out, scope), func(found string) string {
		m := place.FindStringSubmatch(found)
		t, ok := tableOf(scope, m[2], m[3])
		if !ok || m[1] == "T" {
			return found
		}
		column := joinedName(m[2], m[3])
		bytes := t.alias + "." + quote(OddBytes(m[3]))
		switch m[1] {
		case "B":
			return "coalesce(" + bytes + ", convert_to(CAST(" + column + " AS text), 'UTF8'))"
		case "E", "L":
			return "coalesce(octet_length(" + bytes + "), octet_length(CAST(" + column + " AS text)))"
		}
		other := t.alias + "." + quote(OddCell(m[3]))
		return "(CASE WHEN " + other + " IS NOT NULL THEN '" + OddText + "' || " + other + " ELSE '" + HeldCell + "' || CAST(" + column + " AS text) END)"
	})
}

// filledTimes puts the conditions about times into the places for columns of these tables.
func filledTimes(out string, scope []named) string {
	return place.ReplaceAllStringFunc(out, func(found string) string {
		m := place.FindStringSubmatch(found)
		for _, t := range scope {
			if m[1] == "T" && quote(m[2]) == t.alias && slices.Contains(t.table.Times, m[3]) {
				return t.alias + "." + quote(UsualTime(m[3])) + " IS NOT TRUE"
			}
		}
		return found
	})
}

// withoutPlaces puts the columns themselves into all places.
func (p *parser) withoutPlaces(out string) string {
	if !strings.Contains(out, placeSign) {
		return out
	}
	return place.ReplaceAllStringFunc(out, func(found string) string {
		m := place.FindStringSubmatch(found)
		switch column := joinedName(m[2], m[3]); {
		case m[1] == "T":
			return "true"
		case m[1] == "B":
			return p.bytesOf("CAST(" + column + " AS text)")
		case m[1] == "E" && p.isEncoded():
			return "octet_length(" + p.bytesOf("CAST("+column+" AS text)") + ")"
		case m[1] == "E" || m[1] == "L":
			return "octet_length(CAST(" + column + " AS text))"
		default:
			return column
		}
	})
}

// isEncoded reports whether the texts of tables are encoded.
func (p *parser) isEncoded() bool {
	_, ok := p.tables(BytesOfText)
	return ok
}

// bytesOf returns the bytes of a text of a table.
func (p *parser) bytesOf(text string) string {
	if t, ok := p.tables(BytesOfText); ok {
		return strings.Replace(t.Query, "?", text, 1)
	}
	return "convert_to(" + text + ", 'UTF8')"
}

// tableOf returns the table of a column that can't hold some of its cells.
func tableOf(scope []named, alias, column string) (named, bool) {
	for _, t := range scope {
		if (alias == "" || quote(alias) == t.alias) && slices.Contains(t.table.Odd, column) {
			return t, true
		}
	}
	return named{}, false
}

func joinedName(alias, column string) string {
	if alias == "" {
		return quote(column)
	}
	return quote(alias) + "." + quote(column)
}
