package lineage

import (
	"slices"

	"lcm-tui/data/lcm"
)

// Counters are the counters of a summary about everything below it.
type Counters struct {
	Descendants      int64 // Summaries below.
	DescendantTokens int64 // Their tokens.
	SourceTokens     int64 // The tokens of the messages below.
}

// Counters computes a node's counters by the reference engine's formulas. of returns the
// counters of a source, tokens its tokens. A source that doesn't exist counts nothing; a leaf
// keeps its own tokens of messages.
func (g *Graph) Counters(n *Node, tokens func(*Node) int64, of func(*Node) Counters) Counters {
	if !n.Condensed() {
		return Counters{SourceTokens: n.SourceTokens}
	}
	var c Counters
	for _, id := range n.Sources {
		s := g.nodes[id]
		if s == nil || s == n {
			continue
		}
		below := of(s)
		c = c.With(below, tokens(s))
	}
	return c
}

// With returns the counters of a summary that has another source, of so many tokens. A sum beyond the
// largest number is that number.
func (c Counters) With(source Counters, tokens int64) Counters {
	return Counters{
		lcm.AddTokens(c.Descendants, lcm.AddTokens(source.Descendants, 1)),
		lcm.AddTokens(c.DescendantTokens, lcm.AddTokens(source.DescendantTokens, tokens)),
		lcm.AddTokens(c.SourceTokens, source.SourceTokens),
	}
}

// Ancestors returns all nodes that are made, directly or not, from one of these ids, the lowest
// first. A given node is among them only where it was made from another given one.
func (g *Graph) Ancestors(ids ...string) []*Node {
	found := map[string]bool{}
	for stack := slices.Clone(ids); len(stack) > 0; {
		n := g.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		if n == nil {
			continue
		}
		for _, id := range n.Derived {
			if !found[id] {
				found[id] = true
				stack = append(stack, id)
			}
		}
	}
	return g.inOrder(found)
}

// Below returns a node and everything below it, sources before the summaries made from them.
func (g *Graph) Below(id string) []*Node {
	n := g.nodes[id]
	if n == nil {
		return nil
	}
	seen := map[string]bool{}
	g.visit(n, seen)
	return g.bottomUp(seen)
}

// inOrder returns the nodes of a set, by depth, then age.
func (g *Graph) inOrder(set map[string]bool) (out []*Node) {
	for _, n := range g.order {
		if set[n.ID] {
			out = append(out, n)
		}
	}
	return out
}

// bottomUp orders the nodes of a set so that none comes before its sources, whatever their
// depths. It cuts cycles.
func (g *Graph) bottomUp(set map[string]bool) (out []*Node) {
	done := map[string]bool{}
	var add func(n *Node)
	add = func(n *Node) {
		if done[n.ID] || !set[n.ID] {
			return
		}
		done[n.ID] = true
		for _, id := range n.Sources {
			if s := g.nodes[id]; s != nil {
				add(s)
			}
		}
		out = append(out, n)
	}
	for _, n := range g.order {
		add(n)
	}
	return out
}

// BottomUp orders these nodes so that none comes before its sources.
func (g *Graph) BottomUp(ids ...string) []*Node {
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return g.bottomUp(set)
}
