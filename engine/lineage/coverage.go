package lineage

import (
	"cmp"
	"slices"

	"lcm-tui/data"
)

// Range is a stretch of a conversation by seq, both ends included; zero is none.
type Range struct{ First, Last int64 }

func (r Range) join(o Range) Range {
	switch {
	case o == Range{}:
		return r
	case r == Range{}:
		return o
	}
	return Range{min(r.First, o.First), max(r.Last, o.Last)}
}

// Reach is the stretch of the conversation that a node covers through all its
// sources. AddSpans must have been called.
func (g *Graph) Reach(n *Node) Range {
	if g.reach == nil {
		g.reach = make(map[string]Range, len(g.nodes))
		byDepth := slices.Clone(g.order)
		slices.SortStableFunc(byDepth, func(a, b *Node) int { return cmp.Compare(a.Depth, b.Depth) })
		for _, n := range byDepth {
			g.reachOf(n, map[string]bool{})
		}
	}
	return g.reach[n.ID]
}

func (g *Graph) reachOf(n *Node, path map[string]bool) Range {
	if r, ok := g.reach[n.ID]; ok || path[n.ID] {
		return r
	}
	path[n.ID] = true
	r := Range{n.Span.FirstSeq, n.Span.EndSeq}
	for _, id := range n.Sources {
		if s := g.nodes[id]; s != nil {
			r = r.join(g.reachOf(s, path))
		}
	}
	delete(path, n.ID)
	g.reach[n.ID] = r
	return r
}

// Cell is the state of one stretch of a band, the worst of what it holds.
type Cell uint8

// The states, from nothing to what has to be seen.
const (
	Empty     Cell = iota
	Folded         // Covered by a summary above.
	Shown          // In the context.
	Uncovered      // Messages that are neither in the context nor under any summary.
)

// Band is a picture of one depth: what stretch of the conversation its summaries
// cover.
type Band struct {
	Depth int64 // RawBand for the messages themselves.
	Cells []Cell
}

// RawBand is the depth of the band of messages.
const RawBand = -1

// Coverage draws the whole conversation in bands of width cells, the highest
// depth first and the messages last. shown are the seqs of the messages in the
// context, uncovered those that are nowhere. Where there are fewer messages than
// cells, each is drawn as wide as it takes.
func (g *Graph) Coverage(whole data.SeqRange, width int, shown, uncovered []int64) []Band {
	if whole.Last == 0 || width < 1 {
		return nil
	}
	narrow := int(min(int64(width), whole.Last-whole.First+1))
	bands := g.bands(whole, narrow, shown, uncovered)
	for i, b := range bands {
		cells := make([]Cell, width)
		for j := range cells {
			cells[j] = b.Cells[j*narrow/width]
		}
		bands[i].Cells = cells
	}
	return bands
}

func (g *Graph) bands(whole data.SeqRange, width int, shown, uncovered []int64) []Band {
	scale := func(seq int64) int {
		return max(0, min(width-1, int((seq-whole.First)*int64(width)/(whole.Last-whole.First+1))))
	}
	bands := map[int64][]Cell{}
	for _, n := range g.order {
		r := g.Reach(n)
		if r == (Range{}) {
			continue
		}
		if bands[n.Depth] == nil {
			bands[n.Depth] = make([]Cell, width)
		}
		fill(bands[n.Depth], scale(r.First), scale(r.Last), n)
	}
	var out []Band
	for depth, cells := range bands {
		out = append(out, Band{depth, cells})
	}
	slices.SortFunc(out, func(a, b Band) int { return cmp.Compare(b.Depth, a.Depth) })
	return append(out, Band{RawBand, rawCells(width, scale, shown, uncovered)})
}

func fill(cells []Cell, from, to int, n *Node) {
	state := Folded
	if n.InContext() {
		state = Shown
	}
	for i := from; i <= to; i++ {
		cells[i] = max(cells[i], state)
	}
}

func rawCells(width int, scale func(int64) int, shown, uncovered []int64) []Cell {
	cells := make([]Cell, width)
	for i := range cells {
		cells[i] = Folded
	}
	for _, seq := range shown {
		cells[scale(seq)] = Shown
	}
	for _, seq := range uncovered {
		cells[scale(seq)] = Uncovered
	}
	return cells
}
