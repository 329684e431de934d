package transplant

import (
	"context"
	"fmt"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
)

// guest is an item that comes into the target's context.
type guest struct {
	item data.ContextItem
	at   time.Time // Zero where it isn't known.
	raw  bool      // A message.
	slot int       // It comes before the target's item of this index.
}

// place puts the carried items among the target's, where their time puts them. The
// target's own stay in their order.
func (t *transfer) place(ctx context.Context) error {
	guests := t.guests()
	t.settle(guests)
	if len(guests) == 0 {
		return nil
	}
	after := merge(t.before, guests)
	if err := t.checkMoves(after); err != nil {
		return err
	}
	return t.plan.ChangeContext(ctx, t.to, t.Target, t.before, after)
}

// guests are the items to place, oldest first.
func (t *transfer) guests() (out []guest) {
	for _, n := range t.tops {
		out = append(out, t.summaryGuest(n))
	}
	slices.SortStableFunc(out, func(a, b guest) int { return a.at.Compare(b.at) })
	var messages []guest
	for _, it := range t.raw {
		if g, ok := t.messageGuest(it); ok {
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
	slices.SortStableFunc(out, func(a, b guest) int { return a.at.Compare(b.at) })
	return out
}

func (t *transfer) summaryGuest(n *lineage.Node) guest {
	s := n.Summary
	s.ID, s.Conversation, s.Content = t.ids[n.ID], t.Target, t.rename(s.Content)
	if !s.LatestAt.Valid() {
		s.LatestAt = s.CreatedAt
	}
	return guest{item: t.to.NewSummaryItem(s, t.Target, 0), at: s.LatestAt.Time}
}

func (t *transfer) messageGuest(it data.ContextItem) (guest, bool) {
	number, ok := t.numbers[it.Message]
	m := data.Message{
		ID: number, Seq: t.seqs[it.Message], Role: only(it.Role, "assistant", "system", "user", "assistant", "tool"),
		Tokens: it.Tokens, Content: t.rename(it.Preview), CreatedAt: it.At,
	}
	return guest{item: t.to.NewMessageItem(m, t.Target, 0), at: it.At.Time, raw: true}, ok
}

// settle finds the slot of each guest: before the first of the target's items that
// is later. A message comes before all messages of the target, as its seq does, and
// what is older than it with it. Nothing comes between a tool's call and its result.
func (t *transfer) settle(guests []guest) {
	first := slices.IndexFunc(t.before, func(it data.ContextItem) bool { return !it.IsSummary() })
	limit := len(t.before)
	for i := len(guests) - 1; i >= 0; i-- {
		g := &guests[i]
		slot := slices.IndexFunc(t.before, func(it data.ContextItem) bool { return it.At.Valid() && it.At.After(g.at) })
		if slot < 0 {
			slot = len(t.before)
		}
		if g.raw && first >= 0 {
			slot = min(slot, first)
		}
		limit = min(limit, t.beforeCall(slot))
		g.slot = limit
	}
}

// beforeCall is a slot moved in front of the call whose results come next.
func (t *transfer) beforeCall(slot int) int {
	tool := func(i int) bool { return i < len(t.before) && t.before[i].Role == "tool" }
	if !tool(slot) {
		return slot
	}
	call := slot
	for call > 0 && tool(call) {
		call--
	}
	if t.before[call].Role != "assistant" {
		return slot // Results without a call.
	}
	return call
}

// merge puts the guests into their slots.
func merge(before []data.ContextItem, guests []guest) []data.ContextItem {
	out := make([]data.ContextItem, 0, len(before)+len(guests))
	for i := 0; i <= len(before); i++ {
		for len(guests) > 0 && guests[0].slot == i {
			out, guests = append(out, guests[0].item), guests[1:]
		}
		if i < len(before) {
			out = append(out, before[i])
		}
	}
	return out
}

// checkMoves refuses a context in which something that would have to move points at
// nothing: SQLite doesn't let such a row change.
func (t *transfer) checkMoves(after []data.ContextItem) error {
	was := map[int64]string{}
	for _, it := range t.before {
		was[it.Ordinal] = it.Ref()
	}
	for _, it := range data.LayOut(t.before, after).Items {
		if it.Missing && was[it.Ordinal] != it.Ref() {
			return t.refuse(fmt.Sprintf("the target's context item for %s %s, which isn't there, would have to move, and can't", it.Type, it.Ref()),
				"repair the target's context first")
		}
	}
	return nil
}
