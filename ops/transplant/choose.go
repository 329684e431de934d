package transplant

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/plural"
)

// choose finds the summaries to copy with all below them. It refuses one that has a
// source in another conversation or is part of a cycle.
func (t *transfer) choose(ctx context.Context) error {
	find := t.contextSummaries
	if len(t.Summaries) > 0 {
		find = t.requestedSummaries
	}
	roots, err := find(ctx)
	if err != nil {
		return err
	}
	nodes, err := t.descendants(ctx, roots)
	if err != nil {
		return err
	}
	t.roots, t.nodes = outermost(roots, nodes), nodes
	return nil
}

// outermost are the roots that are a source of no copied node. The others get no place
// in the context, which would show the same content twice.
func outermost(roots, copied []*lineage.Node) []*lineage.Node {
	inner := map[string]bool{}
	for _, n := range copied {
		for _, id := range n.Sources {
			inner[id] = true
		}
	}
	return slices.DeleteFunc(roots, func(n *lineage.Node) bool { return inner[n.ID] })
}

// requestedSummaries are the nodes of the ids in the request.
func (t *transfer) requestedSummaries(ctx context.Context) (roots []*lineage.Node, err error) {
	for _, id := range t.Summaries {
		n, ok := t.graph.Node(id)
		if !ok {
			return nil, t.foreignSummary(ctx, id, "")
		}
		if !slices.Contains(roots, n) {
			roots = append(roots, n)
		}
	}
	return roots, nil
}

// foreignSummary is the error for a summary that the source conversation doesn't
// have; above is the id of the summary that was made of it, or empty.
func (t *transfer) foreignSummary(ctx context.Context, id, above string) error {
	s, err := lcm.ReadSummary(ctx, t.sourceDB, id)
	switch {
	case errors.Is(err, data.ErrNotFound):
		return t.refuse("there is no summary "+id, fmt.Sprintf("lcm-tui summaries %d lists those of the source", t.Source), fmt.Sprintf("choose among the summaries of conversation %d", t.Source))
	case err != nil:
		return err
	case above != "":
		return t.refuse(fmt.Sprintf("%s is made of %s, which belongs to conversation %d", above, id, s.Conversation),
			"repair that link first, or choose other summaries with --summaries", "repair that link first")
	}
	return t.refuse(fmt.Sprintf("summary %s belongs to conversation %d", id, s.Conversation),
		fmt.Sprintf("lcm-tui transplant %d %d --summaries %s", s.Conversation, t.Target, id), fmt.Sprintf("choose conversation %d as the source", s.Conversation))
}

// contextSummaries are the summaries in the source's context, in its order. Where it has
// none, such as after a host has emptied it, they are those of which no other summary was
// made.
func (t *transfer) contextSummaries(context.Context) (roots []*lineage.Node, err error) {
	missing := 0
	for _, it := range t.sourceContext {
		n, ok := t.graph.Node(it.Summary)
		switch {
		case !it.IsSummary():
		case !ok:
			missing++
		case !slices.Contains(roots, n):
			roots = append(roots, n)
		}
	}
	if missing > 0 {
		t.plan.Warn(fmt.Sprintf("the source's context names %s that it doesn't have; those can't be copied", plural.Count(missing, "summary", "summaries")))
	}
	if len(roots) > 0 {
		return roots, nil
	}
	for _, n := range t.graph.Roots() {
		if len(n.Derived) == 0 {
			roots = append(roots, n)
		}
	}
	if len(roots) > 0 {
		t.plan.Note("the source's context has no summary; instead every summary is copied of which no other was made")
	}
	return roots, nil
}

// traversal visits nodes depth first.
type traversal struct {
	*transfer
	state          map[string]int // 1: its sources are being visited; 2: visited.
	missingSources int            // Links to sources that don't exist.
	out            []*lineage.Node
}

// descendants are nodes and all summaries below them, sources first.
func (t *transfer) descendants(ctx context.Context, roots []*lineage.Node) ([]*lineage.Node, error) {
	w := &traversal{transfer: t, state: map[string]int{}}
	for _, n := range roots {
		if err := w.visit(ctx, n); err != nil {
			return nil, err
		}
	}
	t.missingSources = w.missingSources
	return w.out, nil
}

// visit adds a node behind its sources.
func (w *traversal) visit(ctx context.Context, n *lineage.Node) error {
	w.state[n.ID] = 1
	for _, id := range n.Sources {
		s, ok := w.graph.Node(id)
		switch {
		case !ok:
			if err := w.checkMissing(ctx, n, id); err != nil {
				return err
			}
		case w.state[id] == 1:
			return w.refuse(fmt.Sprintf("its summaries form a cycle: %s is made of %s, which is made of it", n.ID, id),
				"repair the cycle first, or choose summaries without it with --summaries", "repair the cycle first")
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

// checkMissing counts a source that doesn't exist, and refuses one of another conversation.
func (w *traversal) checkMissing(ctx context.Context, n *lineage.Node, id string) error {
	_, err := lcm.ReadSummary(ctx, w.sourceDB, id)
	if errors.Is(err, data.ErrNotFound) {
		w.missingSources++
		return nil
	}
	return w.foreignSummary(ctx, id, n.ID)
}
