package lineage

import "slices"

// Counters are what a summary says of all that lies below it.
type Counters struct {
	Descendants      int64 // Summaries below.
	DescendantTokens int64 // Their tokens.
	SourceTokens     int64 // The tokens of the messages below.
}

// Counters are what a node's counters are, by the reference engine's formulas, when
// those of its sources are as of tells, and their tokens as tokens tells. A source
// that doesn't exist counts nothing; a leaf keeps what it says of its messages.
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
		c.Descendants += below.Descendants + 1
		c.DescendantTokens += below.DescendantTokens + tokens(s)
		c.SourceTokens += below.SourceTokens
	}
	return c
}

// Ancestors are all nodes that are made, directly or not, of one of these, the
// lowest first. The given ones are among them only where one was made of another.
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

// Below are a node and all that it is made of, sources before what was made of
// them.
func (g *Graph) Below(id string) []*Node {
	n := g.nodes[id]
	if n == nil {
		return nil
	}
	seen := map[string]bool{}
	g.visit(n, seen)
	return g.bottomUp(seen)
}

// inOrder are the nodes of a set, by depth, then age.
func (g *Graph) inOrder(set map[string]bool) (out []*Node) {
	for _, n := range g.order {
		if set[n.ID] {
			out = append(out, n)
		}
	}
	return out
}

// bottomUp are the nodes of a set so that none stands before its sources, whatever
// the depths say. Cycles are cut where they are met.
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

// BottomUp are these nodes so that none stands before its sources.
func (g *Graph) BottomUp(ids ...string) []*Node {
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return g.bottomUp(set)
}
