package repair

import (
	"context"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// repairContext repairs what the model is shown: items that name no row, have negative
// ordinals, stand twice or beside what covers them, then the order, then what is missing.
func repairContext(ctx context.Context, s *state) error {
	had := len(s.context.Items())
	if s.found.has(integrity.ContextOrdinalNegative) {
		s.context.RestoreNegative()
		s.found.markAll(integrity.ContextOrdinalNegative)
	}
	if s.found.has(integrity.ContextItemDangling) {
		if err := replaceMissingItems(ctx, s); err != nil {
			return err
		}
		s.found.markAll(integrity.ContextItemDangling)
	}
	if err := removeForeignItems(ctx, s); err != nil {
		return err
	}
	if s.found.has(integrity.ContextItemDuplicate) {
		s.context.RemoveDuplicates(s.isExcluded)
		s.found.markAll(integrity.ContextItemDuplicate)
	}
	s.context.RemoveCovered(s.found.has(integrity.CoveredMessageInContext), s.found.has(integrity.CoveredSummaryInContext), s.isExcluded)
	s.found.markAll(integrity.CoveredMessageInContext, integrity.CoveredSummaryInContext)
	if s.found.has(integrity.ContextOutOfOrder) {
		sortContext(s)
	}
	if s.found.has(integrity.MessageUnreferenced, integrity.ContextEmpty) || losesAllItems(s) || len(messagesOfMissing(s)) > 0 {
		if err := addUnreferenced(ctx, s); err != nil {
			return err
		}
	}
	if err := restoreLostMessages(ctx, s); err != nil {
		return err
	}
	s.found.markAll(integrity.ContextOrdinalGaps)
	settleContext(s, had)
	return nil
}

// losesAllItems reports whether the repair removes the last item of a context, in which no
// item named a row that exists.
func losesAllItems(s *state) bool {
	return s.found.has(integrity.ContextItemDangling) && len(s.context.Stored()) > 0 && len(s.context.Items()) == 0
}

// sortContext puts the items in order.
func sortContext(s *state) {
	if s.context.Sort() {
		s.found.markAll(integrity.ContextOutOfOrder)
		return
	}
	for _, f := range s.found.of(integrity.ContextOutOfOrder) {
		s.found.leave(f, "a summary covers no message, so that its position can't be found")
	}
}

// settleContext keeps the repair from making new faults: nothing that came into the context,
// or is under another summary now, stands twice, beside what covers it, or out of order.
func settleContext(s *state, had int) {
	if !s.context.HasNew() && !s.graph.HasNewEdges() && len(s.context.Items()) >= had {
		return
	}
	s.context.RemoveDuplicates(s.isExcluded)
	s.context.RemoveCovered(true, true, s.isExcluded)
	if !s.context.IsSorted() {
		s.context.Sort()
	}
}

// writeContext turns the graph and the context into changes.
func writeContext(ctx context.Context, s *state) error {
	if s.merged || s.deleted {
		return nil // They are written already.
	}
	s.graph.WriteEdges()
	if err := writeDeleted(ctx, s); err != nil {
		return err
	}
	s.context.CountTokens()
	if !s.context.IsChanged() && !s.found.has(integrity.ContextOrdinalGaps) {
		countUnmoved(s)
		return nil
	}
	s.plan.ChangeContext(s.db, s.op.Conversation, s.context.Stored(), s.context.Items())
	return nil
}

// countUnmoved says how large a context is whose items stay, and shows it if what stands
// there is counted otherwise.
func countUnmoved(s *state) {
	i, before, after := &s.plan.Impact, s.context.Stored(), s.context.Items()
	i.ItemsBefore, i.ItemsAfter = len(before), len(after)
	i.TokensBefore, i.TokensAfter = lcm.SumTokens(before), lcm.SumTokens(after)
	if i.TokensBefore != i.TokensAfter || len(s.texts) > 0 {
		s.plan.Contexts = append(s.plan.Contexts, ops.ContextChange{Conversation: s.op.Conversation, Before: before, After: after})
	}
}
