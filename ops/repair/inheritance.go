package repair

import (
	"fmt"
	"slices"

	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// inheritance links the sources of missing summaries to the summaries that were made of these:
// summaries to these themselves, messages to the nearest leaf below them, but for messages
// that the context reaches anyway.
type inheritance struct {
	state   *state
	covered map[int64]bool
	leaves  map[string]*draft.Leaves // Below the heirs, as far as needed.
	passed  []string                 // Missing summaries of which sources were linked.
}

// passOnSources links the sources of missing summaries to what was made of these, but where
// the sources come into the context in the place of the summary.
func passOnSources(s *state, missing []string) {
	i := &inheritance{state: s, covered: s.context.ReachedMessages(), leaves: map[string]*draft.Leaves{}}
	for _, id := range missing {
		if !s.found.has(integrity.ContextItemDangling) || !s.context.HasSummary(id) {
			i.passOn(id)
		}
	}
	if n := len(i.passed); n > mostAlike {
		s.plan.Note(fmt.Sprintf("%d summaries are missing; their sources are linked to the summaries that were made of them", n))
		return
	}
	for _, id := range i.passed {
		s.plan.Note(id + " is missing; its sources are linked to the summary that was made of it")
	}
}

// passOn links the sources of one missing summary.
func (i *inheritance) passOn(id string) {
	g, passed := i.state.graph, false
	for _, heir := range g.Derived(id) {
		for _, e := range slices.Clone(g.Edges(id)) {
			switch {
			case g.Has(e.Source):
				g.Link(heir.ID, e.Source)
				delete(i.leaves, heir.ID)
				passed = true
			case e.Source == "" && i.state.messages.Has(e.Message) && !i.covered[e.Message] && len(g.Covering(e.Message)) == 0:
				if leaf := i.leavesOf(heir).Nearest(i.state.messages.Seq(e.Message)); leaf != nil {
					g.LinkMessage(leaf.ID, e.Message)
					passed = true
				}
			}
		}
	}
	if passed {
		i.passed = append(i.passed, id)
	}
}

// leavesOf returns the leaves below an heir.
func (i *inheritance) leavesOf(heir *draft.Summary) *draft.Leaves {
	if i.leaves[heir.ID] == nil {
		i.leaves[heir.ID] = i.state.graph.Leaves(heir.ID)
	}
	return i.leaves[heir.ID]
}
