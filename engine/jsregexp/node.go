package jsregexp

// nodeKind is what a node of a parsed pattern does.
type nodeKind int

const (
	matchSet     nodeKind = iota // One code unit of set.
	matchAll                     // All children, one after the other; none is the empty text.
	matchAny                     // The first child that leads to a match.
	matchRepeat                  // The child, min to max times.
	matchGroup                   // The child, and remembers what it matched.
	matchSame                    // What group number matched.
	textStart                    // ^
	textEnd                      // $
	wordBoundary                 // \b
	notBoundary                  // \B
	lookAround                   // The child matches here, and nothing is taken.
)

// node is one part of a parsed pattern.
type node struct {
	kind     nodeKind
	set      charset
	children []*node
	min, max int  // Of matchRepeat; max is unlimited for no limit.
	lazy     bool // Of matchRepeat: as few as possible.
	group    int
	behind   bool // Of lookAround: before this place.
	negative bool // Of lookAround: it doesn't match.
}

// unlimited is a number of repetitions without limit.
const unlimited = 1<<31 - 1

// each calls fn with the node and all that are below it.
func (n *node) each(fn func(*node)) {
	fn(n)
	for _, c := range n.children {
		c.each(fn)
	}
}

// canBeEmpty reports whether a node can match the empty text. Of a reference to a group it
// isn't known.
func (n *node) canBeEmpty() bool {
	switch n.kind {
	case matchSet:
		return false
	case matchAll:
		for _, c := range n.children {
			if !c.canBeEmpty() {
				return false
			}
		}
		return true
	case matchAny:
		for _, c := range n.children {
			if c.canBeEmpty() {
				return true
			}
		}
		return false
	case matchRepeat:
		return n.min == 0 || n.children[0].canBeEmpty()
	case matchGroup:
		return n.children[0].canBeEmpty()
	default:
		return true
	}
}

// needsBacktracking reports whether Go's regexp can't run a node, or could find something else.
func (n *node) needsBacktracking() (needs bool) {
	n.each(func(c *node) {
		switch c.kind {
		case matchSame, lookAround:
			needs = true
		case matchRepeat: // JavaScript ends a repetition whose turn is empty in a way of its own.
			needs = needs || c.max > maxRepeat && c.max != unlimited || c.min > maxRepeat || c.children[0].canBeEmpty()
		}
	})
	return needs
}

// looksBack reports whether it matters to a node what is before it.
func (n *node) looksBack() (looks bool) {
	n.each(func(c *node) {
		looks = looks || c.kind == textStart || c.kind == wordBoundary || c.kind == notBoundary || c.behind
	})
	return looks
}

// maxRepeat is how often Go's regexp repeats something at most by number.
const maxRepeat = 1000
