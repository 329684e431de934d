package repair

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// addUnreferenced brings unreferenced messages into the context: those that the check names,
// and into an empty one all since the last reset, the top summaries first.
func addUnreferenced(ctx context.Context, s *state) error {
	named := map[int64]bool{}
	for _, m := range messagesOf(s.found.of(integrity.MessageUnreferenced)) {
		named[m] = true
	}
	since, err := lastReset(ctx, s)
	if err != nil {
		return err
	}
	for _, m := range messagesOfMissing(s) {
		named[m] = named[m] || s.messages.Header(m).CreatedAt.After(since)
	}
	if losesAllItems(s) || s.found.has(integrity.ContextEmpty) && len(s.context.Items()) == 0 {
		for m := range s.messages.All() {
			named[m.ID] = named[m.ID] || m.CreatedAt.After(since)
		}
		addTopSummaries(s, since)
	}
	linked := map[int64]bool{}
	for _, n := range s.graph.Summaries() {
		for _, m := range n.Messages() {
			linked[m] = true
		}
	}
	covered := s.context.ReachedMessages()
	var added []int64
	for m := range s.messages.All() {
		if named[m.ID] && s.messages.IsVisible(m.ID) && !covered[m.ID] && !linked[m.ID] {
			added = append(added, m.ID)
		}
	}
	items, err := s.context.NewMessages(ctx, added)
	s.context.Insert(items...)
	s.found.markAll(integrity.MessageUnreferenced, integrity.ContextEmpty)
	return err
}

// messagesOfMissing returns messages of which only a missing summary was made, now that its
// links go.
func messagesOfMissing(s *state) (messages []int64) {
	for _, e := range s.graph.AllEdges() {
		if s.graph.Summary(e.Summary) == nil && e.IsDeleted() && e.Source == "" && s.messages.IsVisible(e.Message) {
			messages = append(messages, e.Message)
		}
	}
	return messages
}

// lastReset returns when /new last emptied the context, as far as the host notes that.
func lastReset(ctx context.Context, s *state) (t time.Time, err error) {
	rows, err := data.ImagesIn(ctx, s.db, "conversation_bootstrap_state", "conversation_id", []any{s.op.Conversation}, "soft_reset_pruned_at")
	for _, r := range rows {
		t, _ = data.ParseTime(draft.Text(r["soft_reset_pruned_at"]))
	}
	return t, err
}

// addTopSummaries puts the summaries into an empty context that no other is made of and that
// reach past a time.
func addTopSummaries(s *state, since time.Time) {
	items := slices.Clone(s.context.Items())
	for _, n := range s.graph.Summaries() {
		if len(s.graph.Derived(n.ID)) == 0 && firstValid(n.LatestAt, n.CreatedAt).After(since) {
			items = append(items, s.context.NewSummary(n.ID))
		}
	}
	s.context.SortByNewest(items)
	s.context.SetItems(items)
	s.context.RemoveCovered(true, true, s.isExcluded)
}

// restoreLostMessages puts messages back into the context that a compaction of the host
// removed by mistake: the summaries that cover nothing but such messages, the highest first,
// and the other messages themselves, each before the first item that stands for later ones.
func restoreLostMessages(ctx context.Context, s *state) error {
	if !s.found.has(integrity.CompactionLostMessages) {
		return nil
	}
	lost, covered := map[int64]bool{}, s.context.ReachedMessages()
	for _, m := range messagesOf(s.found.of(integrity.CompactionLostMessages)) {
		if s.messages.IsVisible(m) && !covered[m] {
			lost[m] = true
		}
	}
	s.context.Insert(summariesOfLost(s, lost)...)
	var rest []int64
	for m := range s.messages.All() {
		if lost[m.ID] {
			rest = append(rest, m.ID)
		}
	}
	items, err := s.context.NewMessages(ctx, rest)
	if err != nil {
		return err
	}
	s.context.Insert(items...)
	s.found.markAll(integrity.CompactionLostMessages)
	return nil
}

// summariesOfLost returns items for the summaries below which there is nothing but lost messages.
// It removes these messages from the lost ones.
func summariesOfLost(s *state, lost map[int64]bool) (items []lcm.ContextItem) {
	summaries := s.graph.Summaries()
	slices.SortStableFunc(summaries, func(a, b *draft.Summary) int { return cmp.Compare(b.Depth, a.Depth) })
	for _, n := range summaries {
		below := s.graph.MessagesBelow(n.ID)
		all := len(below) > 0
		for m := range below {
			all = all && lost[m]
		}
		if !all {
			continue
		}
		for m := range below {
			delete(lost, m)
		}
		items = append(items, s.context.NewSummary(n.ID))
	}
	s.context.SortByNewest(items)
	return items
}
