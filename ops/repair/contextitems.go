package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// replaceMissingItems puts what a missing summary was made of in its place, or the
// unreferenced summary that fits there; other items that name no row go.
func replaceMissingItems(ctx context.Context, s *state) error {
	var out []lcm.ContextItem
	for i, it := range s.context.Items() {
		if !it.Missing || s.isExcluded(it) {
			out = append(out, it)
			continue
		}
		items, err := replacement(ctx, s, i, it)
		if err != nil {
			return err
		}
		out = append(out, items...)
	}
	s.context.SetItems(out)
	return nil
}

// replacement returns what comes in the place of an item that names no row.
func replacement(ctx context.Context, s *state, i int, it lcm.ContextItem) ([]lcm.ContextItem, error) {
	if !it.IsSummary() {
		return nil, nil
	}
	summaries, messages := sourcesLeft(s, it.Summary)
	if len(summaries)+len(messages) == 0 {
		summaries = unreferencedAt(s, i)
	}
	added, err := s.context.NewMessages(ctx, messages)
	var items []lcm.ContextItem
	for _, id := range summaries {
		items = append(items, s.context.NewSummary(id))
	}
	items = s.context.Interleave(items, added)
	if len(items) > 0 {
		s.plan.Note(fmt.Sprintf("%s is missing; in its place comes %s", it.Summary, listItems(items)))
	}
	return items, err
}

// sourcesLeft returns the sources of a missing summary that exist, also through other missing
// ones, and that nothing else in the context reaches.
func sourcesLeft(s *state, missing string) (summaries []string, messages []int64) {
	covered, reached := s.context.ReachedMessages(), s.context.ReachedSummaries()
	seen := map[string]bool{missing: true}
	var below func(id string)
	below = func(id string) {
		for _, e := range s.graph.Edges(id) {
			switch {
			case e.Source == "":
				if s.messages.IsVisible(e.Message) && !covered[e.Message] {
					covered[e.Message] = true
					messages = append(messages, e.Message)
				}
			case s.graph.Has(e.Source):
				if !reached[e.Source] {
					reached[e.Source] = true
					summaries = append(summaries, e.Source)
				}
			case !seen[e.Source] && s.graph.IsDangling(e):
				seen[e.Source] = true
				below(e.Source)
			}
		}
	}
	below(missing)
	return summaries, messages
}

// listItems lists items for people, many as their number.
func listItems(items []lcm.ContextItem) string {
	if len(items) > 3 {
		return fmt.Sprintf("what it was made of: %d items", len(items))
	}
	var parts []string
	for _, it := range items {
		parts = append(parts, it.Type+" "+it.Ref())
	}
	return strings.Join(parts, ", ")
}

// unreferencedAt returns the unreferenced summaries whose messages lie between those of the
// items before and after one: what stood there before.
func unreferencedAt(s *state, i int) (ids []string) {
	lo, hi := int64(-1<<63), int64(1<<63-1)
	for j, it := range s.context.Items() {
		first, last, ok := s.context.Span(it)
		switch {
		case !ok:
		case j < i:
			lo = max(lo, last)
		case j > i:
			hi = min(hi, first)
		}
	}
	covered := s.context.ReachedMessages()
	for _, n := range s.graph.Summaries() {
		first, last, ok := s.graph.Span(n.ID)
		if n.WasInContext || !ok || first <= lo || last >= hi || len(s.graph.Derived(n.ID)) > 0 {
			continue
		}
		overlaps := false
		for m := range s.graph.MessagesBelow(n.ID) {
			overlaps = overlaps || covered[m]
		}
		if !overlaps {
			ids = append(ids, n.ID)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		_, x, _ := s.graph.Span(a)
		_, y, _ := s.graph.Span(b)
		return cmp.Compare(x, y)
	})
	return ids
}

// removeForeignItems removes items that name another conversation's rows, where those are
// reached from there; else as the user chose.
func removeForeignItems(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.ContextItemForeign) {
		ordinal := id(f.Row)
		items := s.context.Items()
		at := slices.IndexFunc(items, func(it lcm.ContextItem) bool { return it.Ordinal == ordinal })
		if at < 0 {
			continue
		}
		reached, err := isReachedElsewhere(ctx, s, items[at].Summary, items[at].Message)
		if err != nil {
			return err
		}
		if s.op.chosen(f) == integrity.Keep || !reached && s.found.choice(f) != "drop" {
			continue
		}
		s.context.Replace(at, at+1)
		s.found.markRepaired(f)
	}
	return nil
}

// isReachedElsewhere reports whether a summary, or where none is named a message, of another
// conversation stands in that one's context or under a summary there.
func isReachedElsewhere(ctx context.Context, s *state, summary string, message int64) (bool, error) {
	if summary == "" {
		m, err := lcm.ReadMessage(ctx, s.db, message)
		return m.InContext || slices.ContainsFunc(m.SummaryIDs, func(id string) bool { return s.graph.Summary(id) == nil }), err
	}
	row, err := lcm.ReadSummary(ctx, s.db, summary)
	if err != nil {
		return false, err
	}
	for table, where := range map[string]data.Row{
		"context_items":   {"conversation_id": row.Conversation, "summary_id": summary},
		draft.SourceTable: {"parent_summary_id": summary},
	} {
		rows, err := data.Images(ctx, s.db, table, where)
		if err != nil || slices.ContainsFunc(rows, func(r data.Row) bool { return s.graph.Summary(draft.Text(r["summary_id"])) == nil }) {
			return err == nil, err
		}
	}
	return false, nil
}
