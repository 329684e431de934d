package draft

import (
	"cmp"
	"slices"

	"lcm-tui/internal/sorting"
)

// Leaves are the leaves below a summary, by where they begin.
type Leaves struct {
	leaves []leaf
}

// leaf is a leaf that covers the messages from seq lo to hi. latest is the index of the leaf
// that ends last, among those before it and itself.
type leaf struct {
	*Summary
	lo, hi int64
	latest int
}

// Leaves returns the leaves below a summary that cover messages.
func (g *Graph) Leaves(summary string) *Leaves {
	l := &Leaves{}
	for _, s := range g.Below(summary) {
		if lo, hi, ok := g.Span(s.ID); ok && len(s.Sources()) == 0 {
			l.leaves = append(l.leaves, leaf{Summary: s, lo: lo, hi: hi})
		}
	}
	sorting.Stable(l.leaves, func(a, b *leaf) int { return cmp.Compare(a.lo, b.lo) })
	for i := range l.leaves {
		latest := i
		if i > 0 && l.leaves[l.leaves[i-1].latest].hi >= l.leaves[i].hi {
			latest = l.leaves[i-1].latest
		}
		l.leaves[i].latest = latest
	}
	return l
}

// Nearest returns the leaf whose messages are nearest to a seq; nil where there is no leaf.
func (l *Leaves) Nearest(seq int64) *Summary {
	after, _ := slices.BinarySearchFunc(l.leaves, seq+1, func(l leaf, seq int64) int { return cmp.Compare(l.lo, seq) })
	if after == 0 {
		if len(l.leaves) == 0 {
			return nil
		}
		return l.leaves[0].Summary
	}
	before := l.leaves[l.leaves[after-1].latest]
	if after < len(l.leaves) && l.leaves[after].lo-seq < seq-before.hi {
		return l.leaves[after].Summary
	}
	return before.Summary
}
