package integrity

import (
	"context"
	"sync"
	"time"

	"lcm-tui/data"
)

// talk is one conversation while it is checked.
type talk struct {
	found
	*checker
	row data.RawConversation

	items     []data.RawContextItem
	inContext map[int64]bool
	nodes     map[string]*node
	order     []*node // Oldest first.
	said      []said  // By seq.
	place     map[int64]int
	calls     toolCalls
	media     []mediaPart
	entries   map[string]int64 // Ids that are given once, with their messages.
	again     map[int64]bool   // Messages that another says the same as.

	sources, members, strays []data.RawLink

	pruned   int64 // When /new dropped what the context held, in seconds, or 0.
	maybeNew bool  // /new would have left no note.
	changed  bool  // This program has changed something; only known where there are gaps.

	naming      sync.Mutex
	unmentioned map[string]bool // Files that no text has named so far.

	partless, hashless, events, heartbeats []int64
	unknown, elsewhere                     []string
	equal                                  [][2]string
}

// node is a summary without its text.
type node struct {
	data.RawSummary
	placed  bool // It stands in the context.
	broken  bool // No model wrote it.
	sources []string
	derived []string
	members []int64
	unreal  int // Links to sources or messages that don't exist or are another conversation's.
}

// talk checks one conversation.
func (c *checker) talk(ctx context.Context, row data.RawConversation) (*found, error) {
	t := &talk{
		checker: c, row: row, nodes: map[string]*node{}, strays: c.strays[row.ID], inContext: map[int64]bool{},
		place: map[int64]int{}, entries: map[string]int64{}, unmentioned: map[string]bool{},
	}
	t.found.conv = row.ID
	for _, id := range c.owned[row.ID] {
		t.unmentioned[id] = true
	}
	parts := &partReader{talk: t}
	steps := []func(context.Context) error{t.structure}
	if t.needs(ContentScope) {
		steps = append(steps, t.hear, parts.take)
	}
	if err := atOnce(ctx, steps...); err != nil {
		return nil, err
	}
	t.join(parts.bundles)
	t.connect()
	t.context()
	t.lineage()
	t.heard()
	t.recalled()
	t.itself()
	t.noted()
	if err := t.briefs(ctx); err != nil {
		return nil, err
	}
	return &t.found, t.stored(ctx)
}

// structure reads summaries, places and links.
func (t *talk) structure(ctx context.Context) (err error) {
	conv := t.row.ID
	if err := t.recall(ctx); err != nil {
		return err
	}
	if t.items, err = t.db.RawContext(ctx, conv); err != nil {
		return err
	}
	if t.sources, err = t.db.RawSummaryLinks(ctx, conv); err != nil {
		return err
	}
	if t.members, err = t.db.RawMessageLinks(ctx, conv); err != nil {
		return err
	}
	if n := len(t.items); n > 0 && t.items[n-1].Ordinal != int64(n)-1 {
		if t.changed, err = t.db.HasRecords(ctx); err != nil {
			return err
		}
	}
	dangling := false
	for _, i := range t.items {
		if i.Summary == "" {
			t.inContext[i.Message] = true
		}
		dangling = dangling || i.Missing
	}
	const stamp = "soft_reset_pruned_at"
	state := t.notes.of(bootstrapTable, conv)
	if at, ok := when(state, stamp); ok {
		t.pruned = at.Truncate(time.Second).Unix()
	}
	s := t.db.Schema()
	t.maybeNew = s.Has("conversations", "active") && !dangling && (state == nil || !s.Has(bootstrapTable, stamp))
	return nil
}

// connect hangs places and links on the nodes.
func (t *talk) connect() {
	for i := range t.said {
		t.place[t.said[i].id] = i
	}
	for _, i := range t.items {
		if n := t.nodes[i.Summary]; n != nil {
			n.placed = true
		}
	}
	for _, l := range t.sources {
		n := t.nodes[l.Summary]
		if n == nil {
			continue
		}
		n.sources = append(n.sources, l.Source)
		if s := t.nodes[l.Source]; s != nil {
			s.derived = append(s.derived, l.Summary)
		} else {
			n.unreal++
		}
	}
	for _, l := range t.members {
		n := t.nodes[l.Summary]
		if n == nil {
			continue
		}
		n.members = append(n.members, l.Message)
		if _, known := t.place[l.Message]; !known {
			n.unreal++
		}
	}
	for _, l := range t.strays {
		if s := t.nodes[l.Source]; s != nil && l.Owner != 0 {
			s.derived = append(s.derived, l.Summary)
		}
	}
}

// below calls fn with every summary of the conversation below n, once.
func (t *talk) below(n *node, fn func(*node)) {
	seen := map[string]bool{n.ID: true}
	stack := []*node{n}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, id := range top.sources {
			if s := t.nodes[id]; s != nil && !seen[id] {
				seen[id] = true
				fn(s)
				stack = append(stack, s)
			}
		}
	}
}
