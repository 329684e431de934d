package lineage

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
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

// Extent is what one summary covers.
type Extent struct {
	Range           // Through all its sources.
	Messages  int64 // The messages that it is linked to itself.
	Missing   int64 // Its links to messages that don't exist.
	depth     int64
	inContext bool
}

// Coverage is the range of a conversation that each summary covers, and the messages that no
// summary covers.
type Coverage struct {
	Whole     lcm.SeqRange
	extents   map[string]Extent
	shown     []int64 // Seqs of the messages in the context.
	uncovered []int64 // Seqs of the messages neither in the context nor below a summary.
}

// LoadCoverage reads the coverage of a conversation.
func LoadCoverage(ctx context.Context, db *data.DB, conv int64) (*Coverage, error) {
	g, err := Load(ctx, db, conv, 0)
	if err != nil {
		return nil, err
	}
	spans, err := lcm.Spans(ctx, db, conv)
	if err != nil {
		return nil, err
	}
	c := &Coverage{extents: extents(g, spans)}
	if c.Whole, err = lcm.ReadSeqRange(ctx, db, conv); err != nil {
		return nil, err
	}
	if c.shown, err = lcm.ContextSeqs(ctx, db, conv); err != nil {
		return nil, err
	}
	c.uncovered, err = lcm.UncoveredSeqs(ctx, db, conv)
	return c, err
}

// extents computes the ranges from the leaves upwards.
func extents(g *Graph, spans []lcm.Span) map[string]Extent {
	leaves := make(map[string]lcm.Span, len(spans))
	for _, s := range spans {
		leaves[s.Summary] = s
	}
	out := make(map[string]Extent, len(g.order))
	var reach func(n *Node, path map[string]bool) Range
	reach = func(n *Node, path map[string]bool) Range {
		if e, ok := out[n.ID]; ok || path[n.ID] { // A cycle adds nothing.
			return e.Range
		}
		path[n.ID] = true
		span := leaves[n.ID]
		r := Range{span.FirstSeq, span.EndSeq}
		for _, id := range n.Sources {
			if s := g.nodes[id]; s != nil {
				r = r.join(reach(s, path))
			}
		}
		delete(path, n.ID)
		out[n.ID] = Extent{Range: r, Messages: span.Messages, Missing: span.Missing, depth: n.Depth, inContext: n.InContext()}
		return r
	}
	for _, n := range g.order { // By depth, so that the recursion stays shallow.
		reach(n, map[string]bool{})
	}
	return out
}

// Extent returns what a summary covers.
func (c *Coverage) Extent(id string) (Extent, bool) {
	e, ok := c.extents[id]
	return e, ok
}

// Cell is the state of one stretch of a band, the worst of what it holds.
type Cell uint8

// The states, from the least to the most important to see.
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

// Bands draws the whole conversation in bands of width cells, the highest depth
// first and the messages last. Where there are fewer messages than cells, each is
// drawn as wide as it takes.
func (c *Coverage) Bands(width int) []Band {
	if c.Whole.Last == 0 || width < 1 {
		return nil
	}
	narrow := int(min(int64(width), c.Whole.Last-c.Whole.First+1))
	bands := c.bands(narrow)
	for i, b := range bands {
		cells := make([]Cell, width)
		for j := range cells {
			cells[j] = b.Cells[j*narrow/width]
		}
		bands[i].Cells = cells
	}
	return bands
}

func (c *Coverage) bands(width int) []Band {
	scale := func(seq int64) int {
		return max(0, min(width-1, int((seq-c.Whole.First)*int64(width)/(c.Whole.Last-c.Whole.First+1))))
	}
	byDepth := map[int64][]Cell{}
	for _, e := range c.extents {
		if e.Range == (Range{}) {
			continue
		}
		if byDepth[e.depth] == nil {
			byDepth[e.depth] = make([]Cell, width)
		}
		state := Folded
		if e.inContext {
			state = Shown
		}
		cells := byDepth[e.depth]
		for i := scale(e.First); i <= scale(e.Last); i++ {
			cells[i] = max(cells[i], state)
		}
	}
	var out []Band
	for depth, cells := range byDepth {
		out = append(out, Band{depth, cells})
	}
	sorting.Stable(out, func(a, b *Band) int { return cmp.Compare(b.Depth, a.Depth) })
	return append(out, Band{RawBand, c.rawCells(width, scale)})
}

func (c *Coverage) rawCells(width int, scale func(int64) int) []Cell {
	cells := slices.Repeat([]Cell{Folded}, width)
	for _, seq := range c.shown {
		cells[scale(seq)] = Shown
	}
	for _, seq := range c.uncovered {
		cells[scale(seq)] = Uncovered
	}
	return cells
}

// UncoveredCount returns how many messages are neither in the context nor under any
// summary.
func (c *Coverage) UncoveredCount() int { return len(c.uncovered) }
