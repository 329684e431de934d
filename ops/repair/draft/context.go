package draft

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
)

// Context is the items of a conversation's context, in order.
type Context struct {
	db           *data.DB
	conversation int64
	stored       []lcm.ContextItem
	items        []lcm.ContextItem
	graph        *Graph
	messages     *Messages
}

func newContext(db *data.DB, conversation int64, items []lcm.ContextItem, g *Graph) *Context {
	return &Context{db: db, conversation: conversation, stored: items, items: slices.Clone(items), graph: g, messages: g.messages}
}

// Stored returns the items as they are in the file.
func (c *Context) Stored() []lcm.ContextItem { return c.stored }

// Items returns the items as they will be. The caller must not change them.
func (c *Context) Items() []lcm.ContextItem { return c.items }

// SetItems sets all items.
func (c *Context) SetItems(items []lcm.ContextItem) { c.items = items }

// SetText gives the item of a summary, if there is one, the size and the beginning of another
// text.
func (c *Context) SetText(summary, text string, tokens int64) {
	for i, it := range c.items {
		if it.Summary == summary {
			c.items[i].Tokens, c.items[i].Preview = tokens, data.Preview(text)
		}
	}
}

// CountTokens counts every item as its summary or message will be counted.
func (c *Context) CountTokens() {
	for i, it := range c.items {
		if s := c.graph.Summary(it.Summary); s != nil {
			c.items[i].Tokens = s.Tokens
		} else if c.messages.Has(it.Message) {
			c.items[i].Tokens = c.messages.Header(it.Message).Tokens.Value
		}
	}
}

// IsChanged reports whether other items stand in the context, or in another order.
func (c *Context) IsChanged() bool {
	return !slices.EqualFunc(c.items, c.stored, func(a, b lcm.ContextItem) bool {
		return a.Ordinal == b.Ordinal && name(a) == name(b)
	})
}

// HasNew reports whether the context holds a summary or message that it did not hold.
func (c *Context) HasNew() bool {
	was := map[string]bool{}
	for _, it := range c.stored {
		was[name(it)] = true
	}
	return slices.ContainsFunc(c.items, func(it lcm.ContextItem) bool { return !was[name(it)] })
}

// name returns what an item stands for.
func name(it lcm.ContextItem) string { return it.Type + it.Ref() }

// Summaries returns the ids of the summaries in the context.
func (c *Context) Summaries() (ids []string) {
	for _, it := range c.items {
		if it.IsSummary() {
			ids = append(ids, it.Summary)
		}
	}
	return ids
}

// HasSummary reports whether a summary stands in the context.
func (c *Context) HasSummary(id string) bool { return slices.Contains(c.Summaries(), id) }

// Messages returns the messages that stand in the context themselves.
func (c *Context) Messages() map[int64]bool {
	out := map[int64]bool{}
	for _, it := range c.items {
		if !it.IsSummary() {
			out[it.Message] = true
		}
	}
	return out
}

// ReachedMessages returns the messages that the context holds, or reaches through summaries.
func (c *Context) ReachedMessages() map[int64]bool {
	out := c.graph.MessagesBelow(c.Summaries()...)
	for _, it := range c.items {
		if !it.IsSummary() && c.messages.Has(it.Message) {
			out[it.Message] = true
		}
	}
	return out
}

// ReachedSummaries returns the ids of the summaries that the context holds, and those below them.
func (c *Context) ReachedSummaries() map[string]bool {
	out := map[string]bool{}
	for _, s := range c.graph.Below(c.Summaries()...) {
		out[s.ID] = true
	}
	return out
}

// Span returns the lowest and the highest seq that an item stands for; ok is false where it stands
// for no message.
func (c *Context) Span(it lcm.ContextItem) (lo, hi int64, ok bool) {
	if it.IsSummary() {
		return c.graph.Span(it.Summary)
	}
	seq := c.messages.Seq(it.Message)
	return seq, seq, c.messages.Has(it.Message)
}

// NewSummary returns a new item for a summary.
func (c *Context) NewSummary(id string) lcm.ContextItem {
	return lcm.NewSummaryItem(c.db, c.graph.Summary(id).Summary, c.conversation, 0)
}

// NewMessages adds new items for messages, in the order of seq.
func (c *Context) NewMessages(ctx context.Context, ids []int64) ([]lcm.ContextItem, error) {
	c.messages.Sort(ids)
	messages, err := lcm.Previews(ctx, c.db, ids)
	items := make([]lcm.ContextItem, 0, len(messages))
	for _, m := range messages {
		items = append(items, lcm.NewMessageItem(c.db, m, c.conversation, 0))
	}
	return items, err
}

// Insert puts new items, which come in the order of what they stand for, each before the
// first item that stands for later messages.
func (c *Context) Insert(items ...lcm.ContextItem) { c.items = c.Interleave(c.items, items) }

// Interleave puts new items, which come in the order of what they stand for, among others,
// each before the first that stands for later messages.
func (c *Context) Interleave(items, added []lcm.ContextItem) (out []lcm.ContextItem) {
	for _, it := range added {
		_, seq, _ := c.Span(it)
		for len(items) > 0 {
			if _, hi, ok := c.Span(items[0]); ok && hi > seq {
				break
			}
			out, items = append(out, items[0]), items[1:]
		}
		out = append(out, it)
	}
	return append(out, items...)
}

// Remove removes the items for which a condition holds.
func (c *Context) Remove(remove func(lcm.ContextItem) bool) {
	c.items = slices.DeleteFunc(c.items, remove)
}

// Replace puts items in the place of those from index from up to, not including, index to.
func (c *Context) Replace(from, to int, items ...lcm.ContextItem) {
	c.items = slices.Replace(c.items, from, to, items...)
}

// RemoveDuplicates leaves of several items for the same row only the first. Items for which
// kept holds stay.
func (c *Context) RemoveDuplicates(kept func(lcm.ContextItem) bool) {
	seen := map[string]bool{}
	c.Remove(func(it lcm.ContextItem) bool {
		again := seen[name(it)]
		seen[name(it)] = true
		return again && !kept(it)
	})
}

// RemoveCovered removes the messages and the summaries that a summary of the context covers.
// Items for which kept holds stay.
func (c *Context) RemoveCovered(messages, summaries bool, kept func(lcm.ContextItem) bool) {
	covered, below := map[int64]bool{}, map[string]bool{}
	for _, top := range c.Summaries() {
		for _, s := range c.graph.Below(top) {
			below[s.ID] = below[s.ID] || s.ID != top
			for _, m := range s.Messages() { // Also another conversation's.
				covered[m] = true
			}
		}
	}
	c.Remove(func(it lcm.ContextItem) bool {
		if it.IsSummary() {
			return summaries && below[it.Summary] && !kept(it)
		}
		return messages && covered[it.Message] && !kept(it)
	})
}

// RestoreNegative puts items of negative ordinals, which a renumbering that stopped half-way
// leaves, back where they were.
func (c *Context) RestoreNegative() {
	ordinal := func(it lcm.ContextItem) int64 {
		if it.Ordinal < 0 {
			return -it.Ordinal - 1
		}
		return it.Ordinal
	}
	sorting.Stable(c.items, func(a, b *lcm.ContextItem) int { return cmp.Compare(ordinal(*a), ordinal(*b)) })
}

// Sort puts the messages between two summaries in the order of seq, and where that isn't
// enough all items in the order of what they stand for. It is false where an item stands for
// nothing, so that nothing tells its place.
func (c *Context) Sort() bool {
	for from := 0; from < len(c.items); from++ {
		to := from
		for to < len(c.items) && !c.items[to].IsSummary() {
			to++
		}
		c.sortMessages(c.items[from:to])
		from = to
	}
	if c.IsSorted() {
		return true
	}
	for _, it := range c.items {
		if _, _, ok := c.Span(it); !ok {
			return false
		}
	}
	c.SortByNewest(c.items)
	return true
}

// sortMessages puts messages in the order of seq. One that this conversation lacks stays
// behind the message before it.
func (c *Context) sortMessages(items []lcm.ContextItem) {
	type keyed struct {
		item lcm.ContextItem
		seq  int64
	}
	keys, seq := make([]keyed, len(items)), int64(-1<<63)
	for i, it := range items {
		if c.messages.Has(it.Message) {
			seq = c.messages.Seq(it.Message)
		}
		keys[i] = keyed{it, seq}
	}
	sorting.Stable(keys, func(a, b *keyed) int { return cmp.Compare(a.seq, b.seq) })
	for i, k := range keys {
		items[i] = k.item
	}
}

// SortByNewest puts items in the order of the newest messages that they stand for.
func (c *Context) SortByNewest(items []lcm.ContextItem) {
	sorting.Stable(items, func(a, b *lcm.ContextItem) int {
		_, x, _ := c.Span(*a)
		_, y, _ := c.Span(*b)
		return cmp.Compare(x, y)
	})
}

// IsSorted reports whether the messages stand in the order of seq, as far as this
// conversation has them.
func (c *Context) IsSorted() bool {
	last := int64(-1 << 63)
	for _, it := range c.items {
		if it.IsSummary() || !c.messages.Has(it.Message) {
			continue
		}
		seq := c.messages.Seq(it.Message)
		if seq <= last {
			return false
		}
		last = seq
	}
	return true
}
