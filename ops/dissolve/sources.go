package dissolve

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/ops"
)

// sources are the items that replace a summary.
type sources struct {
	items   []lcm.ContextItem
	missing []string // Ids of sources without a row; their own sources are used instead.
	cyclic  bool     // The summary is a source of itself.
	below   int64    // How many summaries exist below.
}

// sources collects the summary's sources in link order. A source without a row is replaced
// by its own sources, if links to them exist: then no text is lost. If there are none, the
// operation is refused.
func (o *Op) sources(ctx context.Context, db *data.DB, g *lineage.Graph) (s sources, err error) {
	n, _ := g.Node(o.Summary)
	seen := map[string]bool{o.Summary: true}
	for _, id := range n.Sources {
		if id == o.Summary {
			s.cyclic = true
			continue
		}
		if err := o.add(ctx, db, g, &s, seen, id); err != nil {
			return s, err
		}
	}
	if len(s.items) == 0 {
		return s, o.refuse("its only source is itself", "repair the cycle first; its text would be lost from the context")
	}
	return s, nil
}

// add adds a source, or the sources of a missing one.
func (o *Op) add(ctx context.Context, db *data.DB, g *lineage.Graph, s *sources, seen map[string]bool, id string) error {
	if seen[id] {
		return nil
	}
	seen[id] = true
	sum, err := lcm.ReadSummary(ctx, db, id)
	switch {
	case errors.Is(err, data.ErrNotFound):
		return o.addBelow(ctx, db, g, s, seen, id)
	case err != nil:
		return err
	case sum.Conversation != o.Conversation:
		return o.refuse(fmt.Sprintf("its source %s belongs to conversation %d", id, sum.Conversation),
			"a context must not show another conversation's summary; repair the link first")
	}
	s.below += sum.Descendants + 1
	s.items = append(s.items, lcm.NewSummaryItem(db, sum, o.Conversation, 0))
	return nil
}

// addBelow adds the sources of a missing summary.
func (o *Op) addBelow(ctx context.Context, db *data.DB, g *lineage.Graph, s *sources, seen map[string]bool, id string) error {
	links, err := data.Images(ctx, db, "summary_parents", data.Row{"summary_id": id})
	if err != nil {
		return err
	}
	messages, err := lcm.SourceMessages(ctx, db, id, data.WholeText)
	if err != nil {
		return err
	}
	if len(links) == 0 && len(messages) == 0 {
		return o.refuse("its source "+id+" is missing, and so are the links to its sources",
			"keep it: no other text covers that part of the conversation")
	}
	s.missing = append(s.missing, id)
	for _, l := range links {
		if source, ok := l["parent_summary_id"].(string); ok {
			if err := o.add(ctx, db, g, s, seen, source); err != nil {
				return err
			}
		}
	}
	for _, m := range messages {
		it := lcm.NewMessageItem(db, m, o.Conversation, 0)
		if !seen[it.Ref()] { // Two that are missing may have been made of the same message.
			seen[it.Ref()] = true
			s.items = append(s.items, it)
		}
	}
	return nil
}

// addWarnings warns of damage among the sources.
func (s sources) addWarnings(p *ops.Plan, n *lineage.Node) {
	for _, id := range s.missing {
		p.Warn("the source " + id + " is missing; its own sources are used in its place")
	}
	if s.cyclic {
		p.Warn("the summary is a source of itself; that link is ignored")
	}
	if len(s.missing) == 0 && n.Descendants > s.below {
		p.Warn(fmt.Sprintf("it counts %d summaries below itself and %d exist: a source may be missing", n.Descendants, s.below))
	}
}
