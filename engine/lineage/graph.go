package lineage

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Node is one summary in the graph.
type Node struct {
	lcm.Summary
	// Sources are the ids of the summaries that it was made from, in link order. Some may not
	// exist: Graph.Node reports that.
	Sources []string
	// Derived are the ids of the summaries that were made from it.
	Derived []string
	// Ordinal is its place in the context, or -1.
	Ordinal int64
}

// InContext reports whether the node stands in the context.
func (n *Node) InContext() bool { return n.Ordinal >= 0 }

// Graph is the summaries of a conversation and the links between them.
type Graph struct {
	Conversation int64
	nodes        map[string]*Node
	order        []*Node // By depth, then age.
}

// Load reads the graph of a conversation. Of every text it takes the first
// clipBytes bytes.
func Load(ctx context.Context, db *data.DB, conv int64, clipBytes int) (*Graph, error) {
	summaries, err := lcm.Summaries(ctx, db, conv, clipBytes)
	if err != nil {
		return nil, err
	}
	links, err := lcm.Links(ctx, db, conv)
	if err != nil {
		return nil, err
	}
	items, err := lcm.ContextSummaries(ctx, db, conv)
	if err != nil {
		return nil, err
	}
	return build(conv, summaries, links, items), nil
}

func build(conv int64, summaries []lcm.Summary, links []lcm.Link, inContext map[string]int64) *Graph {
	g := &Graph{Conversation: conv, nodes: make(map[string]*Node, len(summaries))}
	for _, s := range summaries {
		n := &Node{Summary: s, Ordinal: -1}
		if o, ok := inContext[s.ID]; ok {
			n.Ordinal = o
		}
		g.nodes[s.ID] = n
		g.order = append(g.order, n)
	}
	for _, l := range links {
		if n := g.nodes[l.Summary]; n != nil {
			n.Sources = append(n.Sources, l.Source)
		}
		if n := g.nodes[l.Source]; n != nil {
			n.Derived = append(n.Derived, l.Summary)
		}
	}
	return g
}

// Node returns a node by its id.
func (g *Graph) Node(id string) (*Node, bool) {
	n, ok := g.nodes[id]
	return n, ok
}

// Nodes returns all nodes by depth, then age.
func (g *Graph) Nodes() []*Node { return g.order }

// Roots returns the nodes at which a tree view of the graph starts: the summaries in the context, in
// its order, then those from which nothing was made. Every node is below a root: of a cycle
// without a root its deepest node is one.
func (g *Graph) Roots() []*Node {
	var roots []*Node
	for _, n := range g.order {
		if n.InContext() || len(n.Derived) == 0 {
			roots = append(roots, n)
		}
	}
	slices.SortStableFunc(roots, func(a, b *Node) int {
		if a.InContext() != b.InContext() {
			return cmp.Compare(b.Ordinal, a.Ordinal) // What isn't in the context has -1.
		}
		if c := cmp.Compare(a.Ordinal, b.Ordinal); c != 0 {
			return c
		}
		return cmp.Compare(b.Depth, a.Depth)
	})
	seen := map[string]bool{}
	for _, n := range roots {
		g.visit(n, seen)
	}
	for _, n := range slices.Backward(g.order) {
		if !seen[n.ID] {
			roots = append(roots, n)
			g.visit(n, seen)
		}
	}
	return roots
}

// visit marks n and all below it.
func (g *Graph) visit(n *Node, seen map[string]bool) {
	stack := []*Node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n.ID] {
			continue
		}
		seen[n.ID] = true
		for _, id := range n.Sources {
			if s := g.nodes[id]; s != nil {
				stack = append(stack, s)
			}
		}
	}
}

// ContextAncestor returns the nearest summary in the context that covers n, which may be n.
func (g *Graph) ContextAncestor(n *Node) (*Node, bool) {
	seen := map[string]bool{}
	for queue := []*Node{n}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if n.InContext() {
			return n, true
		}
		for _, id := range n.Derived {
			if d := g.nodes[id]; d != nil && !seen[id] {
				seen[id] = true
				queue = append(queue, d)
			}
		}
	}
	return nil, false
}
