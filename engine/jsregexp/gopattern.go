package jsregexp

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// goPattern writes a tree as a pattern of Go's regexp for texts of moved code units.
type goPattern struct{ strings.Builder }

// goRegexp returns the tree for Go's regexp and how many instructions it has, or nil where that can't find the same.
func goRegexp(root *node) (re *regexp.Regexp, size int) {
	if root.needsBacktracking() {
		return nil, 0
	}
	var g goPattern
	g.write(root)
	parsed, err := syntax.Parse(g.String(), syntax.Perl)
	if err != nil { // It is too large.
		return nil, 0
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err == nil {
		re, err = regexp.Compile(g.String())
	}
	if err != nil {
		return nil, 0
	}
	return re, len(program.Inst)
}

func (g *goPattern) write(n *node) {
	switch n.kind {
	case matchSet:
		g.writeSet(n.set)
	case matchAll:
		g.WriteString("(?:")
		for _, c := range n.children {
			g.write(c)
		}
		g.WriteByte(')')
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
	case notBoundary:
		g.WriteString(`\B`)
	}
}

func (g *goPattern) writeSet(set charset) {
	if len(set) == 0 {
		g.WriteString(`[^\x00-\x{10ffff}]`)
		return
	}
	set.moved().write(&g.Builder, func(u rune) string { return fmt.Sprintf(`\x{%x}`, u) })
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
