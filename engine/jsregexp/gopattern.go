package jsregexp

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"
)

// goPattern writes a tree as a pattern of Go's regexp, whose texts are characters and not code
// units.
type goPattern struct {
	strings.Builder
	// halves is set where half a pair is named, which Go's texts don't have.
	halves bool
	// byUnit is set where a pair counts as two: then only texts without pairs can be searched.
	byUnit bool
}

// goRegexp returns the tree for Go's regexp, or nil where that can't find the same.
func goRegexp(root *node) (re *regexp.Regexp, byUnit bool) {
	if root.needsBacktracking() {
		return nil, false
	}
	var g goPattern
	g.write(root)
	if g.halves {
		return nil, false
	}
	re, err := regexp.Compile(g.String())
	if err != nil { // It is too large.
		return nil, false
	}
	return re, g.byUnit
}

func (g *goPattern) write(n *node) {
	switch n.kind {
	case matchSet:
		g.writeSet(n.set)
	case matchAll:
		g.writeAll(n.children)
	case matchAny:
		g.WriteString("(?:")
		for i, c := range n.children {
			if i > 0 {
				g.WriteByte('|')
			}
			g.write(c)
		}
		g.WriteByte(')')
	case matchGroup:
		g.write(n.children[0])
	case matchRepeat:
		g.WriteString("(?:")
		g.write(n.children[0])
		g.WriteString(")" + n.quantifier())
	case textStart:
		g.WriteString(`\A`)
	case textEnd:
		g.WriteString(`\z`)
	case wordBoundary:
		g.WriteString(`\b`)
	case notBoundary: // It is true between the halves of a pair.
		g.byUnit = true
		g.WriteString(`\B`)
	}
}

// writeAll writes nodes one after the other, and both halves of a pair as their character.
func (g *goPattern) writeAll(nodes []*node) {
	g.WriteString("(?:")
	defer g.WriteByte(')')
	for i := 0; i < len(nodes); i++ {
		if i+1 < len(nodes) && nodes[i].kind == matchSet && nodes[i+1].kind == matchSet {
			high, single := nodes[i].set.one()
			low, second := nodes[i+1].set.one()
			if single && second && utf16.IsSurrogate(high) && high < firstLow && low >= firstLow && low <= lastSurrogate {
				fmt.Fprintf(g, `\x{%x}`, utf16.DecodeRune(high, low))
				i++
				continue
			}
		}
		g.write(nodes[i])
	}
}

func (g *goPattern) writeSet(set charset) {
	plain := set.withoutSurrogates()
	if len(set.onlySurrogates()) > 0 {
		g.byUnit = true
	}
	if len(plain) == 0 {
		g.halves = g.halves || len(set) > 0
		g.WriteString(`[^\x00-\x{10ffff}]`)
		return
	}
	plain.write(&g.Builder, func(u rune) string { return fmt.Sprintf(`\x{%x}`, u) })
}

// quantifier returns a repetition in the words that both engines know.
func (n *node) quantifier() (out string) {
	out = fmt.Sprintf("{%d,%d}", n.min, n.max)
	if n.max == unlimited {
		out = fmt.Sprintf("{%d,}", n.min)
	}
	if n.lazy {
		out += "?"
	}
	return out
}
