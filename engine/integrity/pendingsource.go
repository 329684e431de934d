package integrity

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
)

// preparedContext is the part of a context for which summaries are being prepared.
type preparedContext struct {
	first  int64 // Places before it weren't read.
	places map[place][]int64
}

// place is a row that a context item names, by its ordinals.
type place struct {
	message int64
	summary string
}

func (c *preparedContext) add(message int64, summary string, ordinal int64) {
	at := place{message: message, summary: summary}
	c.places[at] = append(c.places[at], ordinal)
}

// readContexts reads the contexts in which active batches lie.
func (p *pendingScan) readContexts(ctx context.Context) (err error) {
	isActive := func(b *lcm.PendingBatch) bool { return b.Active() }
	if !p.file.wants(PendingSourceChanged, PendingRangeUncovered) || !slices.ContainsFunc(p.newest, isActive) {
		return nil
	}
	if p.judged, err = pending.Read(ctx, p.file.db, 0, 0); err != nil {
		return err
	}
	for _, b := range p.judged {
		if known := p.context[b.Conversation]; !b.Active() || known != nil && known.first <= b.First {
			continue
		}
		c := &preparedContext{first: b.First, places: map[place][]int64{}}
		for _, i := range b.Items {
			c.add(i.Message, i.Summary, i.Ordinal)
		}
		p.context[b.Conversation] = c
	}
	for _, n := range p.nodes { // One that lies outside of its batch.
		if known := p.context[n.Conversation]; !p.isActive(n) || known != nil && known.first <= n.First {
			continue
		}
		items, err := lcm.RawContext(ctx, p.file.db, n.Conversation)
		if err != nil {
			return err
		}
		c := &preparedContext{first: math.MinInt64, places: map[place][]int64{}}
		for _, i := range items {
			c.add(i.Message, i.Summary, i.Ordinal)
		}
		p.context[n.Conversation] = c
	}
	return nil
}

// checkSources finds active batches of which the source isn't any more what was planned.
func (p *pendingScan) checkSources() {
	type nodesOf struct {
		batch        string
		conversation int64
	}
	found := map[nodesOf]bool{}
	for _, n := range p.nodes {
		of := nodesOf{n.Batch, n.Conversation}
		if !p.isActive(n) || found[of] || p.context[n.Conversation] == nil {
			continue
		}
		if moved := p.movedSource(n); moved != "" {
			found[of] = true
			p.addAt(PendingSourceChanged, n.Conversation, rowAt(data.PendingBatchTable, n.Batch),
				fmt.Sprintf("%s no longer stands between the places %d and %d of the context", moved, n.First, n.Last), n.Batch, n.ID)
		}
	}
	for _, b := range p.judged {
		if !b.Active() || found[nodesOf{b.ID, b.Conversation}] {
			continue
		}
		if reason, node := b.SourceChange(); reason != "" {
			rows := []string{b.ID}
			if node != "" {
				rows = append(rows, node)
			}
			p.addBatch(PendingSourceChanged, &b.PendingBatch, fmt.Sprintf("the places %d to %d of the context are not what was planned: %s", b.First, b.Last, reason), rows...)
		}
	}
}

// movedSource returns the first source of a node that doesn't stand within its ordinals, in words,
// or empty.
func (p *pendingScan) movedSource(n *lcm.PendingNode) string {
	s, places := p.sources[n.ID], p.context[n.Conversation].places
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
	for _, b := range p.judged {
		if b.Status != lcm.BatchPlanning {
			continue
		}
		if ordinal, found := b.Uncovered(); found {
			p.addBatch(PendingRangeUncovered, &b.PendingBatch, fmt.Sprintf("no ready node covers place %d of the context, which is in its range from %d to %d", ordinal, b.First, b.Last))
		}
	}
}
