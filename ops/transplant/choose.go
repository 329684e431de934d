package transplant

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/ops"
)

// choose finds the branches that are asked for, and refuses those that aren't whole
// branches of the source.
func (t *transfer) choose(ctx context.Context) error {
	find := t.inContext
	if len(t.Summaries) > 0 {
		find = t.named
	}
	tops, err := find(ctx)
	if err != nil {
		return err
	}
	nodes, err := t.below(ctx, tops)
	if err != nil {
		return err
	}
	t.tops, t.nodes = outermost(tops, nodes), nodes
	return nil
}

// outermost are the nodes with none above them that is carried too: those get no
// place of their own, since the context would tell the same twice.
func outermost(tops, carried []*lineage.Node) []*lineage.Node {
	inner := map[string]bool{}
	for _, n := range carried {
		for _, id := range n.Sources {
			inner[id] = true
		}
	}
	return slices.DeleteFunc(tops, func(n *lineage.Node) bool { return inner[n.ID] })
}

// named are the summaries that the request names.
func (t *transfer) named(ctx context.Context) (tops []*lineage.Node, err error) {
	for _, id := range t.Summaries {
		n, ok := t.graph.Node(id)
		if !ok {
			return nil, t.stranger(ctx, id, "")
		}
		if !slices.Contains(tops, n) {
			tops = append(tops, n)
		}
	}
	return tops, nil
}

// stranger says why a summary isn't one of the source's; above is the one that was
// made of it, or empty.
func (t *transfer) stranger(ctx context.Context, id, above string) error {
	s, err := t.from.Summary(ctx, id)
	switch {
	case errors.Is(err, data.ErrNotFound):
		return t.refuse("there is no summary "+id, fmt.Sprintf("lcm-tui summaries %d lists those of the source", t.Source))
	case err != nil:
		return err
	case above != "":
		return t.refuse(fmt.Sprintf("%s is made of %s, which belongs to conversation %d", above, id, s.Conversation),
			"mend that link first, or choose other branches with --summaries")
	}
	return t.refuse(fmt.Sprintf("summary %s belongs to conversation %d", id, s.Conversation),
		fmt.Sprintf("lcm-tui transplant %d %d --summaries %s", s.Conversation, t.Target, id))
}

// inContext are the summaries in the source's context, in its order. Where it names
// none, such as after a host has emptied it, they are those that nothing was made of.
func (t *transfer) inContext(context.Context) (tops []*lineage.Node, err error) {
	missing := 0
	for _, it := range t.context {
		n, ok := t.graph.Node(it.Summary)
		switch {
		case !it.IsSummary():
		case !ok:
			missing++
		case !slices.Contains(tops, n):
			tops = append(tops, n)
		}
	}
	if missing > 0 {
		t.plan.Warn(fmt.Sprintf("the source's context names %s that it doesn't have; those can't be carried", ops.Count(missing, "summary", "summaries")))
	}
	if len(tops) > 0 {
		return tops, nil
	}
	for _, n := range t.graph.Roots() {
		if len(n.Derived) == 0 {
			tops = append(tops, n)
		}
	}
	if len(tops) > 0 {
		t.plan.Note("the source's context names no summary, so those are carried that nothing was made of")
	}
	return tops, nil
}

// walk is a depth-first walk through branches.
type walk struct {
	*transfer
	state map[string]int // 1: on the way down; 2: done.
	lost  int            // Sources that don't exist.
	out   []*lineage.Node
}

// below are some nodes and all that they were made of, sources first.
func (t *transfer) below(ctx context.Context, tops []*lineage.Node) ([]*lineage.Node, error) {
	w := &walk{transfer: t, state: map[string]int{}}
	for _, n := range tops {
		if err := w.visit(ctx, n); err != nil {
			return nil, err
		}
	}
	t.lost = w.lost
	return w.out, nil
}

func (w *walk) visit(ctx context.Context, n *lineage.Node) error {
	w.state[n.ID] = 1
	for _, id := range n.Sources {
		s, ok := w.graph.Node(id)
		switch {
		case !ok:
			if err := w.absent(ctx, n, id); err != nil {
				return err
			}
		case w.state[id] == 1:
			return w.refuse(fmt.Sprintf("its summaries form a cycle: %s is made of %s, which is made of it", n.ID, id),
				"mend the cycle first, or choose branches without it with --summaries")
		case w.state[id] == 0:
			if err := w.visit(ctx, s); err != nil {
				return err
			}
		}
	}
	w.state[n.ID] = 2
	w.out = append(w.out, n)
	return nil
}

// absent lets a source go that is nowhere, and refuses one of another conversation.
func (w *walk) absent(ctx context.Context, n *lineage.Node, id string) error {
	_, err := w.from.Summary(ctx, id)
	if errors.Is(err, data.ErrNotFound) {
		w.lost++
		return nil
	}
	return w.stranger(ctx, id, n.ID)
}
