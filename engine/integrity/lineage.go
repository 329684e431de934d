package integrity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
)

// lineage looks at what summaries were made of.
func (t *talk) lineage() {
	t.links()
	t.cycles()
	for _, n := range t.order {
		t.kinship(n)
		t.depth(n)
	}
	t.shared()
	t.linkNumbers("summary_parents", t.sources)
	t.linkNumbers("summary_messages", t.members)
}

// links: both ends of each.
func (t *talk) links() {
	for _, l := range slices.Concat(t.sources, t.members, t.strays) {
		switch {
		case !l.SourceExists || l.Owner == 0:
			t.lost(l)
			if t.Conversation != 0 { // Else foreign keys are followed for the whole file.
				where, _, end := ends(l)
				t.add(ReferenceDangling, where, "an end of the link to "+end+" doesn't exist")
			}
		case l.Owner != l.SourceOwner && l.Owner == t.row.ID:
			where, key, end := ends(l)
			t.add(LinkAcrossConversations, where, fmt.Sprintf("%s was made of %s of conversation %d", clipped(l.Summary), end, l.SourceOwner), l.Summary, key)
		}
	}
}

// lost tells of a link that leads nowhere, or from nowhere.
func (f *found) lost(l data.RawLink) {
	where, key, end := ends(l)
	lost := end
	if l.Owner == 0 {
		lost = "summary " + clipped(l.Summary)
		if !l.SourceExists {
			lost += " and " + end
		}
	}
	f.add(LinkDangling, where, fmt.Sprintf("%s was made of %s: no %s", clipped(l.Summary), end, lost), l.Summary, key)
}

// ends are where a link is, and what it leads to, as a key and in words.
func ends(l data.RawLink) (where at, key, words string) {
	if l.Source != "" {
		return row("summary_parents", l.Summary), l.Source, "summary " + clipped(l.Source)
	}
	return row("summary_messages", l.Summary), number(l.Message), "message " + number(l.Message)
}

// kinship: what a summary was made of, and what was made of it.
func (t *talk) kinship(n *node) {
	leaf := !n.Condensed()
	switch {
	case leaf && len(n.sources) > 0:
		t.add(SummaryKindWrong, summary(n.ID), "a leaf, but made of "+count(len(n.sources), "summary", "summaries"))
	case !leaf && len(n.members) > 0:
		t.add(SummaryKindWrong, summary(n.ID), "condensed, but made of "+count(len(n.members), "message", "messages"))
	case leaf && len(n.members) == 0 && t.has("summary_messages", "messages"):
		t.add(LeafWithoutMessages, summary(n.ID), "no message is known that it was made of")
	case !leaf && len(n.sources) == 0 && t.has("summary_parents"):
		t.add(CondensedWithoutSources, summary(n.ID), "no summary is known that it was made of")
	}
}

// condensed is the kind that the links tell, and where they tell none, that of the
// row. A wrong kind is told of once, not by all that follows from it.
func (n *node) condensed() bool {
	if len(n.sources) == 0 && len(n.members) == 0 {
		return n.Condensed()
	}
	return len(n.sources) > 0
}

// depth follows the sources that exist.
func (t *talk) depth(n *node) {
	want, why := int64(0), "a leaf"
	if n.condensed() {
		want, why = 1, "without sources"
		deepest := int64(-1)
		for _, id := range n.sources {
			if s := t.nodes[id]; s != nil && s != n {
				deepest = max(deepest, s.Depth)
			}
		}
		if deepest >= 0 {
			want, why = deepest+1, fmt.Sprintf("its deepest source has %d", deepest)
		}
	}
	if n.Depth != want {
		t.add(SummaryDepthWrong, summary(n.ID), fmt.Sprintf("depth %d instead of %d: %s", n.Depth, want, why))
	}
}

// cycles are told of once for each summary in one, with all that are in it.
func (t *talk) cycles() {
	next := func(id string) []string {
		if n := t.nodes[id]; n != nil {
			return n.sources
		}
		return nil
	}
	ids := make([]string, len(t.order))
	for i, n := range t.order {
		ids[i] = n.ID
	}
	for _, ring := range rings(ids, next) {
		for _, id := range ring {
			t.ring(id, ring)
		}
	}
}

// ring tells of a summary that was made of itself.
func (f *found) ring(id string, ring []string) *Finding {
	return f.add(SummaryCycle, summary(id), "made of itself, by way of "+strings.Join(ring, " → "), ring...)
}

// crossing looks for cycles that lead through more than one conversation, where any
// link does.
func (c *checker) crossing(ctx context.Context) error {
	crosses := false
	for _, links := range c.strays {
		crosses = crosses || slices.ContainsFunc(links, func(l data.RawLink) bool { return l.Source != "" && l.Owner != 0 && l.SourceExists })
	}
	if !crosses {
		return nil
	}
	links, err := c.db.AllSummaryLinks(ctx)
	next, owner := map[string][]string{}, map[string]int64{}
	var ids []string
	for _, l := range links {
		if next[l.Summary] == nil {
			ids = append(ids, l.Summary)
		}
		next[l.Summary] = append(next[l.Summary], l.Source)
		owner[l.Summary], owner[l.Source] = l.Owner, l.SourceOwner
	}
	for _, ring := range rings(ids, func(id string) []string { return next[id] }) {
		if !slices.ContainsFunc(ring, func(id string) bool { return owner[id] != owner[ring[0]] }) {
			continue // Told of in its conversation.
		}
		for _, id := range ring {
			if c.concerns(owner[id]) {
				f := c.ring(id, ring)
				f.Conversation, f.AcrossConversations = owner[id], true
			}
		}
	}
	return err
}

// shared are messages and summaries that were summarised more than once.
func (t *talk) shared() {
	leaves := map[int64][]string{}
	for _, l := range slices.Concat(t.members, t.strays) {
		if l.Message != 0 && l.Owner != 0 && l.SourceOwner == t.row.ID && !slices.Contains(leaves[l.Message], l.Summary) {
			leaves[l.Message] = append(leaves[l.Message], l.Summary)
		}
	}
	reached := t.reached()
	for _, l := range slices.Concat(t.members, t.strays) {
		if ids := leaves[l.Message]; len(ids) > 1 {
			delete(leaves, l.Message)
			first(ids, reached)
			t.add(MessageInSeveralLeaves, message(l.Message), "under "+strings.Join(ids, " and "), ids...)
		}
	}
	for _, n := range t.order {
		ids := slices.Clone(n.derived)
		slices.Sort(ids)
		if ids = slices.Compact(ids); len(ids) > 1 {
			first(ids, reached)
			f := t.add(SummaryInSeveralSummaries, summary(n.ID), "under "+strings.Join(ids, " and "), ids...)
			if t.allDissolved(ids[1:], reached) {
				f.mild()
				f.Detail += "; lcm-tui dissolved all but the first"
			}
		}
	}
}

// allDissolved reports whether lcm-tui took all of these summaries out of a context, and
// none is reached any more.
func (t *talk) allDissolved(ids []string, reached map[string]bool) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { _, ok := t.dissolved[id]; return !ok || reached[id] })
}

// first moves what the context reaches to the front.
func first(ids []string, reached map[string]bool) {
	slices.SortStableFunc(ids, func(a, b string) int {
		switch {
		case reached[a] == reached[b]:
			return 0
		case reached[a]:
			return -1
		}
		return 1
	})
}

// reached are the summaries in the context or below one of it.
func (t *talk) reached() map[string]bool {
	out := map[string]bool{}
	for _, n := range t.order {
		if n.placed {
			out[n.ID] = true
			t.below(n, func(b *node) { out[b.ID] = true })
		}
	}
	return out
}

// linkNumbers: the ordinals of each summary's links, which come in that order.
func (t *talk) linkNumbers(table string, links []data.RawLink) {
	for len(links) > 0 {
		n := 1
		for n < len(links) && links[n].Summary == links[0].Summary {
			n++
		}
		if lo, hi := links[0].Ordinal, links[n-1].Ordinal; lo != 0 || hi != int64(n)-1 {
			t.add(LinkOrdinalGaps, row(table, links[0].Summary), fmt.Sprintf("%d links from %d to %d", n, lo, hi))
		}
		links = links[n:]
	}
}
