package integrity

import (
	"fmt"
	"slices"

	"lcm-tui/data"
)

// place is a row that a context item names.
type place struct {
	message int64
	summary string
}

// checkSources finds active batches of which a message or a summary no longer stands where it
// stood when the batch was planned.
func (p *pendingScan) checkSources() {
	places := p.places()
	type nodesOf struct {
		batch        string
		conversation int64
	}
	found := map[nodesOf]bool{}
	for _, n := range p.nodes {
		of := nodesOf{n.Batch, n.Conversation}
		if !p.isActive(n) || found[of] {
			continue
		}
		if moved := p.movedSource(n, places[n.Conversation]); moved != "" {
			found[of] = true
			p.addAt(PendingSourceChanged, n.Conversation, rowAt(pendingTable, n.Batch),
				fmt.Sprintf("%s no longer stands between the places %d and %d of the context", moved, n.First, n.Last), n.Batch, n.ID)
		}
	}
}

// places are the ordinals at which contexts name a row, by conversation.
func (p *pendingScan) places() map[int64]map[place][]int64 {
	out := map[int64]map[place][]int64{}
	for conv, items := range p.contexts {
		out[conv] = map[place][]int64{}
		for _, i := range items {
			at := place{message: i.Message, summary: i.Summary}
			out[conv][at] = append(out[conv][at], i.Ordinal)
		}
	}
	return out
}

// movedSource is the first source of a node that doesn't stand within its ordinals, in words,
// or empty.
func (p *pendingScan) movedSource(n *data.PendingNode, places map[place][]int64) string {
	s := p.sources[n.ID]
	if s == nil {
		return ""
	}
	moved := func(at place) bool {
		return !slices.ContainsFunc(places[at], func(ordinal int64) bool { return n.First <= ordinal && ordinal <= n.Last })
	}
	for _, m := range s.Messages {
		if moved(place{message: m.Message}) {
			return "message " + formatID(m.Message)
		}
	}
	for _, c := range s.Children {
		if c.ChildSummary != "" && moved(place{summary: c.ChildSummary}) {
			return "summary " + clip(c.ChildSummary)
		}
	}
	return ""
}

// checkCoverage finds batches that have nothing left to do and don't cover their range.
func (p *pendingScan) checkCoverage() {
	of := map[string][]*data.PendingNode{}
	for _, n := range p.nodes {
		of[n.Batch] = append(of[n.Batch], n)
	}
	for _, b := range p.newest {
		if b.Status != data.BatchPlanning || hasOpenNode(of[b.ID]) {
			continue
		}
		for _, i := range p.contexts[b.Conversation] {
			if i.Summary == "" && b.First <= i.Ordinal && i.Ordinal <= b.Last && !isCovered(of[b.ID], i.Ordinal) {
				p.addBatch(PendingRangeUncovered, b, fmt.Sprintf("place %d of the context is in its range from %d to %d, and no ready node covers it", i.Ordinal, b.First, b.Last))
				break
			}
		}
	}
}

// hasOpenNode reports whether the host still works on one of the nodes.
func hasOpenNode(nodes []*data.PendingNode) bool {
	for _, n := range nodes {
		if n.Status == data.NodePlanned || n.Status == data.NodeRunning || n.Status == data.NodeFailed {
			return true
		}
	}
	return false
}

// isCovered reports whether a node that is ready or published replaces an ordinal.
func isCovered(nodes []*data.PendingNode, ordinal int64) bool {
	for _, n := range nodes {
		if (n.Status == data.NodeReady || n.Status == data.NodePromoted) && n.First <= ordinal && ordinal <= n.Last {
			return true
		}
	}
	return false
}
