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
	"lcm-tui/ops"
)

// chooser chooses which summaries of the source are copied.
type chooser struct {
	*Op
	source *source
	plan   *ops.Plan
}

// roots returns the summaries that are asked for: those of the request, or else those in the
// source's context.
func (c chooser) roots(ctx context.Context) ([]*lineage.Node, error) {
	if len(c.Summaries) > 0 {
		return c.requestedSummaries(ctx)
	}
	return c.contextSummaries(), nil
}

// outermost returns the roots that are a source of no copied node. The others get no place
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

// requestedSummaries returns the nodes of the ids in the request.
func (c chooser) requestedSummaries(ctx context.Context) (roots []*lineage.Node, err error) {
	for _, id := range c.Summaries {
		n, ok := c.source.graph.Node(id)
		if !ok {
			return nil, c.foreignSummary(ctx, id, "")
		}
		if !slices.Contains(roots, n) {
			roots = append(roots, n)
		}
	}
	return roots, nil
}

// foreignSummary returns the error for a summary that the source conversation doesn't
// have; above is the id of the summary that was made of it, or empty.
func (c chooser) foreignSummary(ctx context.Context, id, above string) error {
	s, err := lcm.ReadSummary(ctx, c.source.db, id)
	switch {
	case errors.Is(err, data.ErrNotFound):
		return c.refuse("there is no summary "+id, fmt.Sprintf("lcm-tui summaries %d lists those of the source", c.Source), fmt.Sprintf("choose among the summaries of conversation %d", c.Source))
	case err != nil:
		return err
	case above != "":
		return c.refuse(fmt.Sprintf("%s is made of %s, which belongs to conversation %d", above, id, s.Conversation),
			"repair that link first, or choose other summaries with --summaries", "repair that link first")
	}
	return c.refuse(fmt.Sprintf("summary %s belongs to conversation %d", id, s.Conversation),
		fmt.Sprintf("lcm-tui transplant %d %d --summaries %s", s.Conversation, c.Target, id), fmt.Sprintf("choose conversation %d as the source", s.Conversation))
}

// contextSummaries returns the summaries in the source's context, in its order. Where it has
// none, such as after a host has emptied it, they are those of which no other summary was
// made.
func (c chooser) contextSummaries() (roots []*lineage.Node) {
	missing := 0
	for _, it := range c.source.context {
		n, ok := c.source.graph.Node(it.Summary)
		switch {
		case !it.IsSummary():
		case !ok:
			missing++
		case !slices.Contains(roots, n):
			roots = append(roots, n)
		}
	}
	if missing > 0 {
		c.plan.Warn(fmt.Sprintf("the source's context names %s that it doesn't have; those can't be copied", plural.Count(missing, "summary", "summaries")))
	}
	if len(roots) > 0 {
		return roots
	}
	for _, n := range c.source.graph.Roots() {
		if len(n.Derived) == 0 {
			roots = append(roots, n)
		}
	}
	if len(roots) > 0 {
		c.plan.Note("the source's context has no summary; instead every summary is copied of which no other was made")
	}
	return roots
}

// traversal visits nodes depth first.
type traversal struct {
	chooser
	state          map[string]int // 1: its sources are being visited; 2: visited.
	missingSources int            // Links to sources that don't exist.
	out            []*lineage.Node
}

// descendants returns nodes and all summaries below them, sources first, and how many links
// lead to summaries that don't exist.
func (c chooser) descendants(ctx context.Context, roots []*lineage.Node) (nodes []*lineage.Node, missing int, err error) {
	w := &traversal{chooser: c, state: map[string]int{}}
	for _, n := range roots {
		if err := w.visit(ctx, n); err != nil {
			return nil, 0, err
		}
	}
	return w.out, w.missingSources, nil
}

// visit adds a node behind its sources.
func (w *traversal) visit(ctx context.Context, n *lineage.Node) error {
	w.state[n.ID] = 1
	for _, id := range n.Sources {
		s, ok := w.source.graph.Node(id)
		switch {
		case !ok:
			if err := w.checkMissing(ctx, n, id); err != nil {
				return err
			}
			w.missingSources++
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

// checkMissing refuses a source that another conversation has; one that doesn't exist is no error.
func (c chooser) checkMissing(ctx context.Context, n *lineage.Node, id string) error {
	_, err := lcm.ReadSummary(ctx, c.source.db, id)
	if errors.Is(err, data.ErrNotFound) {
		return nil
	}
	return c.foreignSummary(ctx, id, n.ID)
}
