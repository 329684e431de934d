package dissolve

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/ops"
)

// sources are what comes back in a summary's place.
type sources struct {
	items  []data.ContextItem
	gone   []string // Sources whose row is missing; what they were made of came instead.
	itself bool     // The summary named itself as a source.
	below  int64    // How many summaries there are below, as far as they exist.
}

// sources collects the summary's sources in link order. In the place of one whose
// row is missing comes what it was made of, if links still tell: then all text
// survives. If they don't, the operation is refused.
func (o *Op) sources(ctx context.Context, db *data.DB, g *lineage.Graph) (s sources, err error) {
	n, _ := g.Node(o.Summary)
	seen := map[string]bool{o.Summary: true}
	for _, id := range n.Sources {
		if id == o.Summary {
			s.itself = true
			continue
		}
		if err := o.add(ctx, db, g, &s, seen, id); err != nil {
			return s, err
		}
	}
	if len(s.items) == 0 {
		return s, o.refuse("it names only itself as its source", "repair the cycle first; its text would be lost from the context")
	}
	return s, nil
}

func (o *Op) add(ctx context.Context, db *data.DB, g *lineage.Graph, s *sources, seen map[string]bool, id string) error {
	if seen[id] {
		return nil
	}
	seen[id] = true
	sum, err := db.Summary(ctx, id)
	switch {
	case errors.Is(err, data.ErrNotFound):
		return o.addBelow(ctx, db, g, s, seen, id)
	case err != nil:
		return err
	case sum.Conversation != o.Conversation:
		return o.refuse(fmt.Sprintf("its source %s belongs to conversation %d", id, sum.Conversation),
			"a context must not show another conversation's summary; mend the link first")
	}
	s.below += sum.Descendants + 1
	s.items = append(s.items, db.NewSummaryItem(sum, o.Conversation, 0))
	return nil
}

// addBelow adds what a missing summary was made of.
func (o *Op) addBelow(ctx context.Context, db *data.DB, g *lineage.Graph, s *sources, seen map[string]bool, id string) error {
	links, err := db.Images(ctx, "summary_parents", data.Row{"summary_id": id})
	if err != nil {
		return err
	}
	messages, err := db.SourceMessages(ctx, id, data.WholeText)
	if err != nil {
		return err
	}
	if len(links) == 0 && len(messages) == 0 {
		return o.refuse("its source "+id+" is missing, and nothing tells what that was made of",
			"leave it as it is: its text is all that is left of that part of the conversation")
	}
	s.gone = append(s.gone, id)
	for _, l := range links {
		if source, ok := l["parent_summary_id"].(string); ok {
			if err := o.add(ctx, db, g, s, seen, source); err != nil {
				return err
			}
		}
	}
	for _, m := range messages {
		s.items = append(s.items, db.NewMessageItem(m, o.Conversation, 0))
	}
	return nil
}

// tell notes what was unusual about the sources.
func (s sources) tell(p *ops.Plan, n *lineage.Node) {
	for _, id := range s.gone {
		p.Warn("the source " + id + " is missing; what it was made of comes in its place")
	}
	if s.itself {
		p.Warn("the summary names itself as a source, which is left out")
	}
	if len(s.gone) == 0 && n.Descendants > s.below {
		p.Warn(fmt.Sprintf("it counts %d summaries below itself and %d are there: a source may have been lost", n.Descendants, s.below))
	}
}
