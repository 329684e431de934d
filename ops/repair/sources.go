package repair

import (
	"context"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// repairKinds sets the kind of a summary to what its links say.
func repairKinds(_ context.Context, s *state) error {
	for _, f := range s.found.of(integrity.SummaryKindWrong) {
		n := s.graph.Summary(f.Row)
		switch {
		case n == nil:
			continue
		case len(n.Sources()) > 0 && len(n.Messages()) > 0:
			s.found.leave(f, "it is linked to summaries and to messages, and the file doesn't say which is right")
			continue
		case len(n.Sources()) > 0:
			n.Kind = lcm.KindCondensed
		case len(n.Messages()) > 0:
			n.Kind = lcm.KindLeaf
		}
		s.graph.Set(n, data.Row{"kind": n.Kind})
		s.found.markRepaired(f)
	}
	return nil
}

// linkSourceless links summaries without sources to what lies in their time range and no
// summary covers.
func linkSourceless(_ context.Context, s *state) error {
	for _, f := range s.found.of(integrity.LeafWithoutMessages) {
		if n := s.graph.Summary(f.Row); n != nil && linkMessagesInRange(s, n) {
			s.found.markRepaired(f)
		} else {
			s.found.leave(f, "no message of its time is uncovered, so it stays as text")
		}
	}
	for _, f := range s.found.of(integrity.CondensedWithoutSources) {
		if n := s.graph.Summary(f.Row); n != nil && linkSummariesInRange(s, n) {
			s.found.markRepaired(f)
		} else {
			s.found.leave(f, "no summary of its time is free, so it stays as text")
		}
	}
	return nil
}

// linkMessagesInRange links a leaf to the messages in its time range. It links none where
// there are none, or where one of them has another place.
func linkMessagesInRange(s *state, n *draft.Summary) bool {
	if !n.EarliestAt.Valid() || !n.LatestAt.Valid() {
		return false
	}
	inContext := s.context.Messages()
	var run []int64
	for m := range s.messages.All() {
		t := m.CreatedAt
		if m.CompactionNote || !t.Valid() || t.Before(n.EarliestAt.Truncate(time.Second)) || t.After(n.LatestAt.Time) {
			continue
		}
		if inContext[m.ID] || len(s.graph.Covering(m.ID)) > 0 {
			return false
		}
		run = append(run, m.ID)
	}
	for _, m := range run {
		s.graph.LinkMessage(n.ID, m)
	}
	return len(run) > 0
}

// linkSummariesInRange links a condensed summary to the summaries one depth below it that lie
// in its time range and that no summary is made of. It links none where there are none.
func linkSummariesInRange(s *state, n *draft.Summary) bool {
	if !n.EarliestAt.Valid() || !n.LatestAt.Valid() {
		return false
	}
	var run []string
	for _, o := range s.graph.Summaries() {
		inside := o.EarliestAt.Valid() && o.LatestAt.Valid() && !o.EarliestAt.Before(n.EarliestAt.Time) && !o.LatestAt.After(n.LatestAt.Time)
		if o != n && inside && o.Depth == n.Depth-1 && !o.WasInContext && len(s.graph.Derived(o.ID)) == 0 {
			run = append(run, o.ID)
		}
	}
	for _, id := range run {
		s.graph.Link(n.ID, id)
	}
	return len(run) > 0
}
