package repair

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
	"lcm-tui/ops/repair/draft"
)

// finishCompactions repairs what a compaction that crashed left behind.
func finishCompactions(_ context.Context, s *state) error {
	for _, f := range s.found.of(integrity.CompactionLeftover) {
		n := s.graph.Summary(f.Row)
		if n == nil || n.IsDeleted() || len(s.graph.Derived(n.ID)) > 0 || finishCompaction(s, f, n) {
			s.found.markRepaired(f) // Perhaps by the repair of another finding.
		}
	}
	for _, n := range s.graph.Summaries() { // Those that lost a link just now are no better.
		if !n.WasInContext && n.HadDerived && len(s.graph.Derived(n.ID)) == 0 && hasSourceInContext(s, n) &&
			!replaceSources(s, n) && isSafeToDelete(s, n) && mayDelete(s, n) {
			s.graph.Delete(n)
		}
	}
	return nil
}

// finishCompaction finishes the compaction that left a summary behind, or deletes the summary,
// where it may; it reports whether it did either.
func finishCompaction(s *state, f integrity.Finding, n *draft.Summary) bool {
	chosen := s.op.chosen(f)
	switch {
	case chosen == integrity.Keep:
		return false
	case chosen == "" && f.Severity == integrity.Info: // It was dissolved.
		s.found.choice(f)
		return false
	case chosen == "" && replaceSources(s, n):
		s.plan.Note(n.ID + " takes the place of its sources, which finishes the compaction that made it")
		return true
	case !isSafeToDelete(s, n):
		s.found.leave(f, "without it the context would reach fewer messages")
		return false
	}
	if !mayDelete(s, n) && s.found.choice(f) != "drop" {
		return false
	}
	s.graph.Delete(n)
	return true
}

// hasSourceInContext reports whether a source of a summary stands in the context.
func hasSourceInContext(s *state, n *draft.Summary) bool {
	return slices.ContainsFunc(s.context.Items(), func(it lcm.ContextItem) bool {
		if it.IsSummary() {
			return slices.Contains(s.graph.Derived(it.Summary), n)
		}
		return slices.Contains(s.graph.Covering(it.Message), n)
	})
}

// placeUnreferenced repairs other unreferenced summaries, as the user chose.
func placeUnreferenced(_ context.Context, s *state) error {
	for _, f := range s.found.of(integrity.SummaryUnreferenced) {
		n := s.graph.Summary(f.Row)
		if n == nil || n.IsDeleted() || len(s.graph.Derived(n.ID)) > 0 || s.context.HasSummary(n.ID) {
			continue
		}
		switch s.found.choice(f) {
		case "place":
			s.context.Insert(s.context.NewSummary(n.ID))
		case "drop":
			s.graph.Delete(n)
		default:
			continue
		}
		s.found.markRepaired(f)
	}
	return nil
}

// isSafeToDelete reports whether the context reaches as many messages without a summary.
func isSafeToDelete(s *state, n *draft.Summary) bool {
	var covered map[int64]bool
	for m := range s.graph.MessagesBelow(n.ID) {
		if isCoveredByOther(s, m, n) {
			continue
		}
		if covered == nil {
			covered = s.context.ReachedMessages()
		}
		if !covered[m] {
			return false
		}
	}
	return true
}

// replaceSources puts a summary in the place of its sources, if all of them stand together in
// the context.
func replaceSources(s *state, n *draft.Summary) bool {
	sources := map[string]bool{}
	for _, e := range s.graph.Edges(n.ID) {
		switch {
		case e.IsDeleted() || s.graph.IsDangling(e) || s.graph.LeadsElsewhere(e):
		case e.Source != "":
			sources[e.Source] = true
		default:
			sources[strconv.FormatInt(e.Message, 10)] = true
		}
	}
	first, count := -1, 0
	for i, it := range s.context.Items() {
		if !sources[it.Ref()] {
			continue
		}
		if first < 0 {
			first = i
		}
		if i != first+count {
			return false
		}
		count++
	}
	if count == 0 || count != len(sources) {
		return false
	}
	s.context.Replace(first, first+count, s.context.NewSummary(n.ID))
	return true
}

// writeDeleted turns the summaries that go into changes, and shows their texts.
func writeDeleted(ctx context.Context, s *state) error {
	for _, n := range s.graph.Deleted() {
		row, err := showDeletedText(ctx, s, n.ID)
		if err != nil {
			return err
		}
		s.plan.Note(fmt.Sprintf("%s is deleted with its text: %s of depth %d, %d tokens", n.ID, row.Kind, row.Depth, row.Tokens))
		for _, table := range []string{"summaries", "focus_brief_sources"} {
			rows, err := data.Images(ctx, s.db, table, data.Row{"summary_id": n.ID})
			if err != nil {
				return err
			}
			for _, r := range rows {
				s.rows.Delete(table, r)
			}
		}
		s.plan.Guard(draft.SourceTable, data.Row{"parent_summary_id": n.ID}, s.graph.StoredEdgesTo(n.ID))
	}
	return nil
}

// showDeletedText shows in the plan the text of a summary that is deleted.
func showDeletedText(ctx context.Context, s *state, id string) (lcm.Summary, error) {
	n, err := lcm.ReadSummary(ctx, s.db, id)
	if err == nil {
		s.plan.Texts = append(s.plan.Texts, ops.Text{ID: id, Before: n.Content})
	}
	return n, err
}
