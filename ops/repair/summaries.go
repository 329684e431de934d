package repair

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// countSummaryTokens counts the tokens of summaries whose count is wrong.
func countSummaryTokens(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.SummaryTokensWrong) {
		n := s.graph.Summary(f.Row)
		if n == nil || n.IsDeleted() {
			continue
		}
		if s.texts[f.Row] == "" {
			row, err := lcm.ReadSummary(ctx, s.db, f.Row)
			if err != nil {
				return err
			}
			n.Tokens = s.estimator().Count(row.Content)
			s.graph.Set(n, data.Row{"token_count": n.Tokens})
		}
		s.found.markRepaired(f)
	}
	return nil
}

// deleteDuplicateSummaries deletes the second of two summaries with the same text, where the
// user chose it and nothing leads to that.
func deleteDuplicateSummaries(_ context.Context, s *state) error {
	for _, f := range s.found.of(integrity.SummaryDuplicate) {
		if s.found.choice(f) != "drop" {
			continue
		}
		if n := unneeded(s, f.Rows); n != nil {
			s.graph.Delete(n)
			s.found.markRepaired(f)
		} else {
			s.found.leave(f, "both are needed: each stands in the context, or a summary is made of it")
		}
	}
	return nil
}

// unneeded returns the last of some summaries that nothing leads to and without which the context
// reaches as much; nil where all are needed.
func unneeded(s *state, ids []string) *draft.Summary {
	for _, id := range slices.Backward(ids) {
		if s.graph.Has(id) && len(s.graph.Derived(id)) == 0 && !s.context.HasSummary(id) && isSafeToDelete(s, s.graph.Summary(id)) {
			return s.graph.Summary(id)
		}
	}
	return nil
}
