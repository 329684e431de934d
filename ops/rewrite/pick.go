package rewrite

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/ops"
)

// Pick says which summaries of a conversation to rewrite. One of the first four fields is
// set.
type Pick struct {
	Summary string // The id of one summary.
	Subtree string // The id of a summary that is rewritten with all below it.
	Depth   *int64 // All summaries of this depth.
	All     bool
	// Ancestors adds all summaries above the others.
	Ancestors bool
}

// nodes returns the picked summaries, sources first.
func (p Pick) nodes(ctx context.Context, db *data.DB, g *lineage.Graph) ([]*lineage.Node, error) {
	ids, err := p.ids(ctx, db, g)
	if err != nil {
		return nil, err
	}
	if p.Ancestors {
		for _, n := range g.Ancestors(ids...) {
			ids = append(ids, n.ID)
		}
	}
	nodes := g.BottomUp(ids...)
	if len(nodes) == 0 {
		return nil, fmt.Errorf("rewrite: no summary of conversation %d is chosen: %w", g.Conversation, ops.ErrNothing)
	}
	return nodes, nil
}

// ids returns the ids of the picked summaries without their ancestors.
func (p Pick) ids(ctx context.Context, db *data.DB, g *lineage.Graph) (ids []string, err error) {
	for _, id := range []string{p.Summary, p.Subtree} {
		if id == "" {
			continue
		}
		if _, ok := g.Node(id); !ok {
			return nil, foreignSummary(ctx, db, g, id)
		}
	}
	switch {
	case p.Summary != "":
		return []string{p.Summary}, nil
	case p.Subtree != "":
		for _, n := range g.Below(p.Subtree) {
			ids = append(ids, n.ID)
		}
		return ids, nil
	}
	for _, n := range g.Nodes() {
		if p.All || p.Depth != nil && n.Depth == *p.Depth {
			ids = append(ids, n.ID)
		}
	}
	return ids, nil
}

// foreignSummary says why a summary isn't in the conversation's graph.
func foreignSummary(ctx context.Context, db *data.DB, g *lineage.Graph, id string) error {
	s, err := lcm.ReadSummary(ctx, db, id)
	if err != nil {
		return err
	}
	return fmt.Errorf("%s belongs to conversation %d, not %d", id, s.Conversation, g.Conversation)
}
