package repair

import (
	"context"
	"slices"
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
		s.rekinded[n.ID] = true
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
	for _, n := range s.graph.Summaries() {
		switch {
		case !losesAllLinks(s, n):
		case n.Kind == lcm.KindLeaf && mayRepair(s, integrity.LeafWithoutMessages, n):
			linkMessagesInRange(s, n)
		case n.Kind == lcm.KindCondensed && mayRepair(s, integrity.CondensedWithoutSources, n):
			linkSummariesInRange(s, n)
		}
	}
	return nil
}

// losesAllLinks reports whether a summary has links in the file, of which this repair deletes every one: no finding says
// that it has no source.
func losesAllLinks(s *state, n *draft.Summary) bool {
	edges := s.graph.Edges(n.ID)
	return len(edges) > 0 && !slices.ContainsFunc(edges, func(e *draft.Edge) bool { return !e.IsDeleted() })
}

// mayRepair reports whether a fault that a summary has only since links of it were deleted is to be repaired, too.
func mayRepair(s *state, fault integrity.FaultID, n *draft.Summary) bool {
	f := integrity.Finding{Fault: fault, Conversation: s.op.Conversation, Table: "summaries", Row: n.ID}
	return s.op.wants(f) && !s.op.skips(f)
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
// in its time range and that no summary is made of. Where there are none it takes leaves: without sources its depth is 1.
// It links none where there are none either.
func linkSummariesInRange(s *state, n *draft.Summary) bool {
	run := freeInRange(s, n, n.Depth-1)
	if len(run) == 0 && n.Depth != 1 {
		run = freeInRange(s, n, 0)
	}
	for _, id := range run {
		s.graph.Link(n.ID, id)
	}
	return len(run) > 0
}

// freeInRange returns the summaries of a depth in the time range of another that no summary is made of and that
// weren't in the context.
func freeInRange(s *state, n *draft.Summary, depth int64) (run []string) {
	if !n.EarliestAt.Valid() || !n.LatestAt.Valid() {
		return nil
	}
	for _, o := range s.graph.Summaries() {
		inside := o.EarliestAt.Valid() && o.LatestAt.Valid() && !o.EarliestAt.Before(n.EarliestAt.Time) && !o.LatestAt.After(n.LatestAt.Time)
		if o != n && inside && o.Depth == depth && !o.WasInContext && len(s.graph.Derived(o.ID)) == 0 {
			run = append(run, o.ID)
		}
	}
	return run
}
