package repair

import (
	"context"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

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

// weakestEdge is the edge of a cycle that is most likely wrong.
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
