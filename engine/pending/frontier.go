package pending

import (
	"slices"

	"lcm-tui/data/lcm"
)

// frontier returns the widest ready nodes by which the host would replace the batch's range, and the
// first message that none of them covers, or nil. Summaries of the context may stay between
// them.
func (b *Batch) frontier() (nodes []*Node, uncovered *Item) {
	items := b.itemsIn(b.First, b.Last)
	before := b.First - 1 // The last ordinal that was looked at.
	for i := 0; i < len(items); {
		n := b.widestReady(before, items[i].Ordinal)
		switch {
		case n != nil:
			nodes = append(nodes, n)
			for i < len(items) && items[i].Ordinal <= n.Last {
				i++
			}
			before = n.Last
			continue
		case !items[i].IsSummary() && uncovered == nil:
			uncovered = &items[i]
		}
		before = items[i].Ordinal
		i++
	}
	return nodes, uncovered
}

// widestReady returns the ready node that begins at an ordinal, or in a gap between it and the one
// before, and covers most; or nil.
func (b *Batch) widestReady(before, ordinal int64) (widest *Node) {
	for _, n := range b.Nodes {
		if n.First <= before || n.First > ordinal || n.Last < ordinal || n.Last > b.Last || !n.isReady() {
			continue
		}
		if widest == nil || n.Last > widest.Last || n.Last == widest.Last && n.Depth > widest.Depth {
			widest = n
		}
	}
	return widest
}

// published returns the nodes that become summaries together with a node: itself and all below it.
func (b *Batch) published(n *Node, seen map[string]bool) []*Node {
	if n == nil || seen[n.ID] {
		return nil
	}
	seen[n.ID] = true
	out := []*Node{n}
	for _, c := range n.Children {
		out = append(out, b.published(b.node(c.ChildNode), seen)...)
	}
	return out
}

// A Stretch is a part of a context that is in one state.
type Stretch struct {
	First   int64  `json:"ordinal_start"`
	Last    int64  `json:"ordinal_end"`
	State   string `json:"state"` // One of the states below.
	Node    string `json:"node_id,omitempty"`
	Items   int    `json:"items"`
	Tokens  int64  `json:"token_count"`              // Of what stands in the context now.
	Becomes int64  `json:"becomes_tokens,omitempty"` // Of the prepared summary.
}

// The states of a stretch.
const (
	StretchPublished = "published"  // Summaries stand there already.
	StretchPrepared  = "prepared"   // A summary of it is ready.
	StretchPlanned   = "planned"    // A summary of it is planned, or is being written.
	StretchRaw       = "raw"        // Messages of which no summary is planned.
	StretchFreshTail = "fresh tail" // The newest messages, which aren't summarized.
)

// Stretches returns the parts of the context from the batch's first ordinal on. The fresh tail begins
// at an ordinal.
func (b *Batch) Stretches(freshTail int64) (out []Stretch) {
	nodes, _ := b.frontier()
	for _, i := range b.Items {
		s := Stretch{First: i.Ordinal, Last: i.Ordinal, State: StretchRaw, Items: 1, Tokens: i.Tokens}
		covers := func(n *Node) bool { return n.First <= i.Ordinal && i.Ordinal <= n.Last }
		planned := func(n *Node) bool { return covers(n) && n.isOpen() && n.Kind == lcm.KindLeaf }
		if at := slices.IndexFunc(nodes, covers); at >= 0 {
			s.State, s.Node, s.Becomes = StretchPrepared, nodes[at].ID, nodes[at].Tokens.Value
		} else if i.IsSummary() {
			s.State = StretchPublished
		} else if at := slices.IndexFunc(b.Nodes, planned); at >= 0 {
			s.State, s.Node = StretchPlanned, b.Nodes[at].ID
		} else if i.Ordinal >= freshTail {
			s.State = StretchFreshTail
		}
		if n := len(out) - 1; n >= 0 && out[n].State == s.State && out[n].Node == s.Node {
			out[n].Last, out[n].Items, out[n].Tokens = s.Last, out[n].Items+1, out[n].Tokens+s.Tokens
			continue
		}
		out = append(out, s)
	}
	return out
}
