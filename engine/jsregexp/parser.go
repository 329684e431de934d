package jsregexp

import (
	"slices"

	"lcm-tui/data/jstext"
)

// parser reads a pattern by JavaScript's grammar without the flag u, which takes much literally
// that looks like syntax.
type parser struct {
	in     []uint16
	at     int
	opened int      // How many groups began so far.
	groups int      // How many there are in the whole pattern.
	names  []string // Of the groups that have one, in the order of the groups; others are empty.
	named  bool     // Some group has a name.
	uses   []string // The names that are referred to.
	err    string
}

// parse returns the tree of a pattern.
func parse(pattern string) (*node, error) {
	p := &parser{in: jstext.Units(pattern)}
	p.countGroups()
	root := p.alternatives()
	if p.err == "" && p.at < len(p.in) {
		p.fail("Unmatched ')'")
	}
	for _, name := range p.uses {
		if !slices.Contains(p.names, name) {
			p.fail("Invalid named capture referenced")
		}
	}
	if p.err != "" {
		return nil, &SyntaxError{pattern, p.err}
	}
	p.resolve(root)
	return root, nil
}

func (p *parser) fail(reason string) {
	if p.err == "" {
		p.err = reason
	}
	p.at = len(p.in)
}

// peek returns the code unit n places ahead, or -1 after the end.
func (p *parser) peek(n int) rune {
	if p.at+n >= len(p.in) {
		return -1
	}
	return rune(p.in[p.at+n])
}

// follows reports whether s stands here.
func (p *parser) follows(s string) bool {
	for i, c := range s {
		if p.peek(i) != c {
			return false
		}
	}
	return true
}

// take passes s if it stands here.
func (p *parser) take(s string) bool {
	if !p.follows(s) {
		return false
	}
	p.at += len(s)
	return true
}

// countGroups counts the groups of the pattern, because a number above theirs is no reference.
func (p *parser) countGroups() {
	for i := 0; i < len(p.in); i++ {
		switch p.in[i] {
		case '\\':
			i++
		case '[':
			for i++; i < len(p.in) && p.in[i] != ']'; i++ {
				if p.in[i] == '\\' {
					i++
				}
			}
		case '(':
			rest := p.in[i+1:]
			if len(rest) == 0 || rest[0] != '?' {
				p.groups++
			} else if len(rest) > 2 && rest[1] == '<' && rest[2] != '=' && rest[2] != '!' {
				p.groups++
				p.named = true
			}
		}
	}
}

func (p *parser) alternatives() *node {
	out := &node{kind: matchAny, children: []*node{p.sequence()}}
	for p.take("|") {
		out.children = append(out.children, p.sequence())
	}
	if len(out.children) == 1 {
		return out.children[0]
	}
	return out
}

func (p *parser) sequence() *node {
	out := &node{kind: matchAll}
	for p.at < len(p.in) && p.peek(0) != '|' && p.peek(0) != ')' {
		if n := p.term(); n != nil {
			out.children = append(out.children, n)
		}
	}
	return out
}

// term returns one assertion, or an atom with its quantifier.
func (p *parser) term() *node {
	switch {
	case p.take("^"):
		return &node{kind: textStart}
	case p.take("$"):
		return &node{kind: textEnd}
	case p.take(`\b`):
		return &node{kind: wordBoundary}
	case p.take(`\B`):
		return &node{kind: notBoundary}
	case p.follows("*"), p.follows("+"), p.follows("?"):
		p.fail("Nothing to repeat")
		return nil
	case p.follows("("):
		n := p.parentheses()
		if n == nil || n.kind == lookAround && n.behind {
			return n
		}
		return p.quantified(n)
	}
	if p.follows("{") {
		at := p.at
		if _, _, ok := p.interval(); ok {
			p.fail("Nothing to repeat")
			return nil
		}
		p.at = at
	}
	return p.quantified(p.atom())
}

// parentheses returns what stands in parentheses, with what it does.
func (p *parser) parentheses() *node {
	n := &node{kind: matchAll}
	switch {
	case p.take("(?:"):
	case p.take("(?="):
		n.kind = lookAround
	case p.take("(?!"):
		n.kind, n.negative = lookAround, true
	case p.take("(?<="):
		n.kind, n.behind = lookAround, true
	case p.take("(?<!"):
		n.kind, n.behind, n.negative = lookAround, true, true
	case p.take("(?<"):
		n.kind = matchGroup
		name, ok := p.groupName()
		if !ok || slices.Contains(p.names, name) {
			p.fail("Invalid capture group name")
			return nil
		}
		p.nameGroup(name)
	case p.follows("(?"):
		p.fail("Invalid group")
		return nil
	default:
		p.at++
		n.kind = matchGroup
	}
	if n.kind == matchGroup {
		p.opened++
		n.group = p.opened
	}
	n.children = []*node{p.alternatives()}
	if !p.take(")") {
		p.fail("Unterminated group")
		return nil
	}
	return n
}

// nameGroup keeps the name of the group that begins now.
func (p *parser) nameGroup(name string) {
	for len(p.names) < p.opened {
		p.names = append(p.names, "")
	}
	p.names = append(p.names, name)
}

// quantified returns a node with the quantifier that follows it, if one does.
func (p *parser) quantified(n *node) *node {
	if n == nil {
		return nil
	}
	out := &node{kind: matchRepeat, max: unlimited, children: []*node{n}}
	switch {
	case p.take("*"):
	case p.take("+"):
		out.min = 1
	case p.take("?"):
		out.max = 1
	default:
		at := p.at
		var ok bool
		if out.min, out.max, ok = p.interval(); !ok {
			p.at = at
			return n
		}
		if out.max < out.min {
			p.fail("numbers out of order in {} quantifier")
			return nil
		}
	}
	out.lazy = p.take("?")
	return out
}

// interval returns a quantifier in braces.
func (p *parser) interval() (least, most int, ok bool) {
	if !p.take("{") {
		return 0, 0, false
	}
	if least, ok = p.number(); !ok {
		return 0, 0, false
	}
	most = least
	if p.take(",") {
		if most, ok = p.number(); !ok {
			most = unlimited
		}
	}
	return least, most, p.take("}")
}

// number returns a whole number; one that is too large is unlimited.
func (p *parser) number() (n int, ok bool) {
	for isDigit(p.peek(0)) {
		n, ok = min(n*10+int(p.peek(0)-'0'), unlimited), true
		p.at++
	}
	return n, ok
}

// atom returns one character, class, escape or reference.
func (p *parser) atom() *node {
	switch {
	case p.take("."):
		return &node{kind: matchSet, set: notLineSet}
	case p.follows("["):
		return p.class()
	case p.follows(`\`):
		return p.atomEscape()
	}
	u := p.peek(0)
	p.at++
	return &node{kind: matchSet, set: unitSet(u)}
}

// resolve gives references by name the numbers of their groups.
func (p *parser) resolve(n *node) {
	if n.kind == matchSame && n.group < 0 {
		n.group = slices.Index(p.names, p.uses[-n.group-1]) + 1
	}
	for _, c := range n.children {
		p.resolve(c)
	}
}

func isDigit(u rune) bool { return u >= '0' && u <= '9' }

func isLetter(u rune) bool { return u >= 'a' && u <= 'z' || u >= 'A' && u <= 'Z' }
