package integrity

import (
	"context"

	"lcm-tui/data"
)

// talk is one conversation while it is checked.
type talk struct {
	found
	*checker
	row   data.SeenConversation
	items []data.SeenItem
	nodes map[string]*node
	order []*node // Oldest first.

	sources, members, strays []data.SeenLink
}

// node is a summary without its text.
type node struct {
	data.SeenSummary
	placed  bool // It stands in the context.
	sources []string
	derived []string
	members []int64
	unreal  int // Links to sources or messages that don't exist or are another conversation's.
}

// talk checks one conversation.
func (c *checker) talk(ctx context.Context, row data.SeenConversation) ([]Finding, error) {
	t := &talk{checker: c, row: row, nodes: map[string]*node{}, strays: c.strays[row.ID]}
	t.found.conv = row.ID
	if err := t.load(ctx); err != nil {
		return nil, err
	}
	t.context()
	t.lineage()
	return t.found.list, nil
}

// load reads everything but messages.
func (t *talk) load(ctx context.Context) (err error) {
	conv := t.row.ID
	if t.items, err = t.db.SeenItems(ctx, conv); err != nil {
		return err
	}
	if t.sources, err = t.db.SeenSources(ctx, conv); err != nil {
		return err
	}
	if t.members, err = t.db.SeenMembers(ctx, conv); err != nil {
		return err
	}
	err = t.db.SeenSummaries(ctx, conv, func(s *data.SeenSummary) error {
		n := &node{SeenSummary: *s}
		n.Content = data.Stored{}
		t.nodes[s.ID] = n
		t.order = append(t.order, n)
		return nil
	})
	t.connect()
	return err
}

// connect hangs places and links on the nodes.
func (t *talk) connect() {
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
		if l.SourceOwner != t.row.ID {
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
