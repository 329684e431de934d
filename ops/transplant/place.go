package transplant

import (
	"slices"
	"time"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/sorting"
)

// newItem is an item to insert into the target's context.
type newItem struct {
	item lcm.ContextItem
	at   time.Time // Zero where it isn't known.
	raw  bool      // A message.
	slot int       // It comes before the target's item with this index.
}

// placement finds places in the target's context.
type placement struct {
	target  *target
	files   *fileCopies
	numbers *numbering
}

// newItems returns the items to place, oldest first.
func (p *placement) newItems(chosen *selection) (out []newItem) {
	for _, n := range chosen.roots {
		out = append(out, p.newSummaryItem(n))
	}
	sorting.Stable(out, func(a, b *newItem) int { return a.at.Compare(b.at) })
	var messages []newItem
	for _, it := range chosen.rawMessages {
		if g, ok := p.newMessageItem(it); ok {
			messages = append(messages, g)
		}
	}
	// Messages stay in their own order, whatever their times say: that of their seqs.
	for i := 1; i < len(messages); i++ {
		if messages[i].at.Before(messages[i-1].at) {
			messages[i].at = messages[i-1].at
		}
	}
	out = append(out, messages...)
	sorting.Stable(out, func(a, b *newItem) int { return a.at.Compare(b.at) })
	return out
}

func (p *placement) newSummaryItem(n *lineage.Node) newItem {
	s := n.Summary
	s.ID, s.Conversation, s.Content = p.numbers.summaries[n.ID], p.target.ID, p.files.rename(s.Content)
	if !s.LatestAt.Valid() {
		s.LatestAt = s.CreatedAt
	}
	return newItem{item: lcm.NewSummaryItem(p.target.db, s, p.target.ID, 0), at: s.LatestAt.Time}
}

func (p *placement) newMessageItem(it lcm.ContextItem) (newItem, bool) {
	number, ok := p.numbers.messages[it.Message]
	m := lcm.Message{
		ID: number, Seq: p.numbers.seqs[it.Message], Role: oneOf(it.Role, "assistant", "system", "user", "assistant", "tool"),
		Tokens: it.Tokens, Content: p.files.rename(it.Preview), CreatedAt: it.At,
	}
	return newItem{item: lcm.NewMessageItem(p.target.db, m, p.target.ID, 0), at: it.At.Time, raw: true}, ok
}

// assignSlots finds the slot of each item: before the first of the target's items that is
// newer. A message comes before all messages of the target, as its seq does, and what is
// older than it comes with it. Nothing comes between a tool's call and its result.
func (p *placement) assignSlots(items []newItem) {
	first := slices.IndexFunc(p.target.context, func(it lcm.ContextItem) bool { return !it.IsSummary() })
	limit := len(p.target.context)
	for i := len(items) - 1; i >= 0; i-- {
		g := &items[i]
		slot := slices.IndexFunc(p.target.context, func(it lcm.ContextItem) bool { return it.At.Valid() && it.At.After(g.at) })
		if slot < 0 {
			slot = len(p.target.context)
		}
		if g.raw && first >= 0 {
			slot = min(slot, first)
		}
		limit = min(limit, p.beforeCall(slot))
		g.slot = limit
	}
}

// beforeCall returns a slot moved in front of the call whose results come next.
func (p *placement) beforeCall(slot int) int {
	tool := func(i int) bool { return i < len(p.target.context) && p.target.context[i].Role == "tool" }
	if !tool(slot) {
		return slot
	}
	call := slot
	for call > 0 && tool(call) {
		call--
	}
	if p.target.context[call].Role != "assistant" {
		return slot // Results without a call.
	}
	return call
}

// merge inserts items into their slots.
func merge(before []lcm.ContextItem, items []newItem) []lcm.ContextItem {
	out := make([]lcm.ContextItem, 0, len(before)+len(items))
	for i := 0; i <= len(before); i++ {
		for len(items) > 0 && items[0].slot == i {
			out, items = append(out, items[0].item), items[1:]
		}
		if i < len(before) {
			out = append(out, before[i])
		}
	}
	return out
}
