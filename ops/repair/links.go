package repair

import (
	"context"
	"slices"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// repairLinks deletes links that lead nowhere, and numbers links from 0.
func repairLinks(ctx context.Context, s *state) error {
	if s.op.Conversation == 0 {
		return deleteDanglingRows(ctx, s)
	}
	if s.found.has(integrity.LinkDangling) {
		unlinkMissing(s)
	}
	for _, f := range s.found.of(integrity.LinkAcrossConversations) {
		free, err := canUnlinkForeign(ctx, s, f.Row)
		if err != nil {
			return err
		}
		if s.op.chosen(f) != integrity.Keep && (free || s.found.choice(f) == "unlink") {
			unlinkForeign(s, f.Row)
			s.found.markRepaired(f)
		}
	}
	for _, f := range s.found.of(integrity.LinkOrdinalGaps) {
		s.graph.Renumber(f.Row)
		s.found.markRepaired(f)
	}
	return nil
}

// unlinkMissing deletes the links of which an end doesn't exist. What a missing summary was
// made of is linked to what was made of it, so that it can still be reached.
func unlinkMissing(s *state) {
	s.found.markAll(integrity.LinkDangling)
	missing := map[string]bool{}
	var dangling []*draft.Edge
	for _, e := range s.graph.AllEdges() {
		switch {
		case s.isExcludedEdge(e):
		case s.graph.Summary(e.Summary) == nil:
			missing[e.Summary] = true
		case s.graph.IsDangling(e) && e.Source != "":
			missing[e.Source] = true
		case s.graph.IsDangling(e):
			dangling = append(dangling, e)
		}
	}
	s.graph.Unlink(dangling...)
	passOnSources(s, sortedKeys(missing))
	dangling = nil
	for id := range missing {
		dangling = append(dangling, s.graph.Edges(id)...)
		for _, e := range s.graph.EdgesTo(id) {
			if s.graph.Summary(e.Summary) != nil && !e.IsDeleted() {
				dangling = append(dangling, e)
			}
		}
	}
	s.graph.Unlink(slices.DeleteFunc(dangling, s.isExcludedEdge)...)
}

// canUnlinkForeign reports whether a summary has sources of its own conversation too, and all
// its other sources are reached from their own conversation.
func canUnlinkForeign(ctx context.Context, s *state, id string) (bool, error) {
	own := false
	for _, e := range s.graph.Edges(id) {
		switch {
		case e.IsDeleted() || s.graph.IsDangling(e):
		case s.graph.LeadsElsewhere(e):
			if reached, err := isReachedElsewhere(ctx, s, e.Source, e.Message); err != nil || !reached {
				return false, err
			}
		default:
			own = true
		}
	}
	return own, nil
}

// unlinkForeign deletes the links of a summary that lead to other conversations.
func unlinkForeign(s *state, id string) {
	for _, e := range s.graph.Edges(id) {
		if s.graph.LeadsElsewhere(e) {
			s.graph.Unlink(e)
		}
	}
}

// unlinkCycles deletes, of every cycle, the link that leads to a summary that isn't older
// and lower, until no cycle is left. A link that the context needs to reach a message is the
// last to go.
func unlinkCycles(_ context.Context, s *state) error {
	if !s.found.has(integrity.SummaryCycle) && !s.graph.HasNewEdges() {
		return nil
	}
	for cycle := s.graph.Cycle(s.isExcludedCycle); cycle != nil; cycle = s.graph.Cycle(s.isExcludedCycle) {
		s.graph.Unlink(weakestEdge(s, cycle))
	}
	s.found.markAll(integrity.SummaryCycle)
	return nil
}

// weakestEdge returns the edge of a cycle that is most likely wrong.
func weakestEdge(s *state, cycle []*draft.Edge) *draft.Edge {
	weakest, most := cycle[0], -1
	for _, e := range cycle {
		summary, source := s.graph.Summary(e.Summary), s.graph.Summary(e.Source)
		score := 0
		if keepsCoverage(s, e) {
			score += 8
		}
		if e.Summary == e.Source || source.Depth >= summary.Depth {
			score += 4
		}
		if source.CreatedAt.After(summary.CreatedAt.Time) {
			score += 2
		}
		if source.Kind == lcm.KindCondensed && summary.Kind == lcm.KindLeaf {
			score++
		}
		if score > most {
			weakest, most = e, score
		}
	}
	return weakest
}

// keepsCoverage reports whether the context reaches as many messages without an edge.
func keepsCoverage(s *state, e *draft.Edge) bool {
	with := len(s.context.ReachedMessages())
	without := 0
	s.graph.Without(e, func() { without = len(s.context.ReachedMessages()) })
	return without >= with
}
