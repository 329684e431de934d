package repair

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops/repair/draft"
)

// unlinkShared leaves a message under one leaf and a summary under one other summary, where
// the context tells which, or the user chose.
func unlinkShared(_ context.Context, s *state) error {
	for _, fault := range []integrity.FaultID{integrity.MessageInSeveralLeaves, integrity.SummaryInSeveralSummaries} {
		for _, f := range s.found.of(fault) {
			owners := ownersOf(s, f)
			if len(owners) < 2 {
				if foreign := summaryElsewhere(s, f); foreign != "" {
					s.found.leave(f, "its link to "+foreign+" is one between two conversations ("+string(integrity.LinkAcrossConversations)+"), whose repair ends this, too")
				}
				continue // The repair of another finding did it, or does.
			}
			keep := onlyReached(s, owners)
			if keep == nil {
				if s.found.choice(f) != "first" {
					continue
				}
				keep = owners[0].summary
			}
			if bare := unlinkOthers(s, owners, keep); bare != nil {
				s.found.leave(f, bare.ID+" would be left without sources"+howToDelete(s, bare))
			} else {
				s.found.markRepaired(f)
			}
		}
	}
	return nil
}

// summaryElsewhere returns the first summary of a finding that isn't one of this conversation, or "".
func summaryElsewhere(s *state, f integrity.Finding) string {
	i := slices.IndexFunc(f.Rows, func(id string) bool { return s.graph.Summary(id) == nil })
	if i < 0 {
		return ""
	}
	return f.Rows[i]
}

// owner is a summary that is made of a row, and its link to that.
type owner struct {
	summary *draft.Summary
	edge    *draft.Edge
}

// ownersOf returns the summaries that are made of the message or summary of a finding, oldest
// first.
func ownersOf(s *state, f integrity.Finding) (owners []owner) {
	edges := s.graph.EdgesToMessage(id(f.Row))
	if f.Fault == integrity.SummaryInSeveralSummaries {
		edges = s.graph.EdgesTo(f.Row)
	}
	for _, e := range edges {
		if !e.IsDeleted() && s.graph.Has(e.Summary) {
			owners = append(owners, owner{s.graph.Summary(e.Summary), e})
		}
	}
	sorting.Stable(owners, func(a, b *owner) int {
		return cmp.Or(a.summary.CreatedAt.Compare(b.summary.CreatedAt.Time), a.summary.Compare(b.summary))
	})
	return owners
}

// onlyReached returns the only owner that the context reaches, or nil.
func onlyReached(s *state, owners []owner) (only *draft.Summary) {
	reached := s.context.ReachedSummaries()
	for _, o := range owners {
		if !reached[o.summary.ID] {
			continue
		}
		if only != nil {
			return nil
		}
		only = o.summary
	}
	return only
}

// unlinkOthers deletes the links of all owners but one. An unreferenced owner that would have
// no sources is deleted, where it may be. It returns the first that may not, which keeps its
// link.
func unlinkOthers(s *state, owners []owner, keep *draft.Summary) (bare *draft.Summary) {
	for _, o := range owners {
		n := o.summary
		if n == keep {
			continue
		}
		unreferenced := len(s.graph.Derived(n.ID)) == 0 && !s.context.HasSummary(n.ID)
		switch {
		case len(n.Sources())+len(n.Messages()) > 1:
			s.graph.Unlink(o.edge)
		case unreferenced && isRepeated(s, n) && mayDelete(s, n):
			s.graph.Delete(n)
		case bare == nil:
			bare = n
		}
	}
	return bare
}

// isRepeated reports whether all messages below a summary are under other summaries too.
func isRepeated(s *state, n *draft.Summary) bool {
	for m := range s.graph.MessagesBelow(n.ID) {
		if !isCoveredByOther(s, m, n) {
			return false
		}
	}
	return true
}

// isCoveredByOther reports whether another summary is made of a message.
func isCoveredByOther(s *state, message int64, n *draft.Summary) bool {
	return slices.ContainsFunc(s.graph.Covering(message), func(o *draft.Summary) bool { return o != n })
}

// unreferenced are the faults of a summary that nothing leads to. Its text is deleted only
// where the user chose that.
var unreferenced = []integrity.FaultID{integrity.SummaryUnreferenced, integrity.CompactionLeftover}

// mayDelete reports whether a summary may be deleted: another one that stays has the same
// text, or the user chose it; and nobody skips it.
func mayDelete(s *state, n *draft.Summary) bool {
	if s.op.Skip[n.ID] {
		return false
	}
	for _, fault := range unreferenced {
		if s.op.chosen(integrity.Finding{Fault: fault, Row: n.ID, Conversation: s.op.Conversation}) == "drop" {
			return true
		}
	}
	return slices.ContainsFunc(s.found.listed, func(f integrity.Finding) bool {
		return f.Fault == integrity.SummaryDuplicate && slices.Contains(f.Rows, n.ID) &&
			slices.ContainsFunc(f.Rows, func(id string) bool { return id != n.ID && s.graph.Has(id) })
	})
}

// howToDelete says which choice deletes an unreferenced summary, where it was found.
func howToDelete(s *state, n *draft.Summary) string {
	for _, f := range s.found.listed {
		if slices.Contains(unreferenced, f.Fault) && f.Row == n.ID {
			return "; its text goes only where you choose drop for " + Key(f)
		}
	}
	return ""
}
