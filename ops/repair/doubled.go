package repair

import (
	"context"
	"slices"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
)

// deleteDoubled deletes summaries that a host put beside the same messages, and their items.
// It comes before the repair of what the double makes wrong: messages beside the summary that
// covers them, and messages under several leaves.
func deleteDoubled(_ context.Context, s *state) error {
	for _, f := range s.found.of(integrity.SummaryDoubled) {
		n := s.graph.Summary(f.Row)
		if n == nil || n.IsDeleted() || !s.context.HasSummary(n.ID) {
			s.found.markRepaired(f)
			continue
		}
		items := slices.Clone(s.context.Items())
		s.context.Remove(func(it lcm.ContextItem) bool { return it.Summary == n.ID })
		reached := s.context.ReachedMessages()
		if !containsAll(reached, s.graph.MessagesBelow(n.ID)) {
			s.context.SetItems(items)
			s.found.leave(f, "without it the context would reach fewer messages")
			continue
		}
		if len(s.graph.Derived(n.ID)) == 0 {
			s.graph.Delete(n)
		}
		s.found.markRepaired(f)
	}
	return nil
}

// containsAll reports whether a set has all members of another.
func containsAll(set, members map[int64]bool) bool {
	for id := range members {
		if !set[id] {
			return false
		}
	}
	return true
}
