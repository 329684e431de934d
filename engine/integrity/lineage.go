package integrity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
	"lcm-tui/internal/plural"
)

// lineageCheck checks the links of a conversation.
type lineageCheck struct {
	found *findings
	file  *fileScan
	rows  *scan.Conversation
}

// checkLineage checks the links between summaries and their sources.
func (c *lineageCheck) checkLineage() {
	c.checkLinks()
	c.checkCycles()
	for _, n := range c.rows.Summaries {
		c.checkKind(n)
		c.checkDepth(n)
	}
	c.checkSharedSources()
	c.checkLinkOrdinals("summary_parents", c.rows.SourceLinks)
	c.checkLinkOrdinals("summary_messages", c.rows.MessageLinks)
}

// checkLinks checks both ends of each link.
func (c *lineageCheck) checkLinks() {
	for _, l := range slices.Concat(c.rows.SourceLinks, c.rows.MessageLinks, c.rows.IncomingLinks) {
		switch {
		case !l.SourceExists || l.Owner == 0:
			c.found.addDanglingLink(l)
			if c.file.Conversation != 0 { // A check of the file follows all foreign keys.
				where, _, end := linkEnds(l)
				c.found.add(ReferenceDangling, where, "an end of the link to "+end+" doesn't exist")
			}
		case l.Owner != l.SourceOwner && l.Owner == c.rows.Row.ID:
			where, key, end := linkEnds(l)
			c.found.add(LinkAcrossConversations, where, fmt.Sprintf("%s was made from %s of conversation %d", clip(l.Summary), end, l.SourceOwner), l.Summary, key)
		}
	}
}

// addDanglingLink adds the finding of a link of which an end doesn't exist.
func (f *findings) addDanglingLink(l lcm.RawLink) {
	where, key, end := linkEnds(l)
	lost := end
	if l.Owner == 0 {
		lost = "summary " + clip(l.Summary)
		if !l.SourceExists {
			lost += " and " + end
		}
	}
	f.add(LinkDangling, where, fmt.Sprintf("%s was made from %s: there is no %s", clip(l.Summary), end, lost), l.Summary, key)
}

// linkEnds returns the row of a link, and what it leads to as a key and in words.
func linkEnds(l lcm.RawLink) (where location, key, words string) {
	if l.Source != "" {
		return rowAt("summary_parents", l.Summary), l.Source, "summary " + clip(l.Source)
	}
	return rowAt("summary_messages", l.Summary), formatID(l.Message), "message " + formatID(l.Message)
}

// checkKind compares a summary's kind with its links, and finds summaries without links.
func (c *lineageCheck) checkKind(n *scan.Summary) {
	leaf := !n.Condensed()
	switch {
	case leaf && len(n.Sources) > 0:
		c.found.add(SummaryKindWrong, summaryAt(n.ID), "a leaf, but made from "+plural.Count(len(n.Sources), "summary", "summaries"))
	case !leaf && len(n.Messages) > 0:
		c.found.add(SummaryKindWrong, summaryAt(n.ID), "condensed, but made from "+plural.Count(len(n.Messages), "message", "messages"))
	case leaf && len(n.Messages) == 0 && c.file.has("summary_messages", "messages"):
		c.found.add(LeafWithoutMessages, summaryAt(n.ID), "it has no link to a message")
	case !leaf && len(n.Sources) == 0 && c.file.has("summary_parents"):
		c.found.add(CondensedWithoutSources, summaryAt(n.ID), "it has no link to a source")
	}
}

// checkDepth compares a summary's depth with those of its existing sources.
func (c *lineageCheck) checkDepth(n *scan.Summary) {
	want, why := int64(0), "a leaf"
	if n.IsCondensed() {
		want, why = 1, "without sources"
		deepest := int64(-1)
		for _, id := range n.Sources {
			if source := c.rows.Nodes[id]; source != nil && source != n {
				deepest = max(deepest, source.Depth)
			}
		}
		if deepest >= 0 {
			want, why = deepest+1, fmt.Sprintf("its deepest source has %d", deepest)
		}
	}
	switch {
	case n.OddDepth:
		c.found.add(SummaryDepthWrong, summaryAt(n.ID), fmt.Sprintf("the depth isn't a whole number; it should be %d: %s", want, why))
	case n.Depth != want:
		c.found.add(SummaryDepthWrong, summaryAt(n.ID), fmt.Sprintf("depth %d instead of %d: %s", n.Depth, want, why))
	}
}

// checkCycles finds cycles. Each summary of a cycle gets a finding that names all of them.
func (c *lineageCheck) checkCycles() {
	next := func(id string) []string {
		if n := c.rows.Nodes[id]; n != nil {
			return n.Sources
		}
		return nil
	}
	ids := make([]string, len(c.rows.Summaries))
	for i, n := range c.rows.Summaries {
		ids[i] = n.ID
	}
	for _, cycle := range scan.FindCycles(ids, next) {
		for _, id := range cycle {
			c.found.addCycle(id, cycle)
		}
	}
}

// addCycle adds the finding of a summary that is a source of itself.
func (f *findings) addCycle(id string, cycle []string) *Finding {
	return f.add(SummaryCycle, summaryAt(id), "it is a source of itself: "+strings.Join(cycle, " → "), cycle...)
}

// checkCrossingCycles finds cycles through more than one conversation. It reads all links
// only where one leads to another conversation.
func checkCrossingCycles(ctx context.Context, file *fileScan, found *findings) error {
	crosses := false
	for _, links := range file.incomingLinks {
		crosses = crosses || slices.ContainsFunc(links, func(l lcm.RawLink) bool { return l.Source != "" && l.Owner != 0 && l.SourceExists })
	}
	if !crosses {
		return nil
	}
	links, err := lcm.AllSummaryLinks(ctx, file.db)
	next, owner := map[string][]string{}, map[string]int64{}
	var ids []string
	for _, l := range links {
		if next[l.Summary] == nil {
			ids = append(ids, l.Summary)
		}
		next[l.Summary] = append(next[l.Summary], l.Source)
		owner[l.Summary], owner[l.Source] = l.Owner, l.SourceOwner
	}
	for _, cycle := range scan.FindCycles(ids, func(id string) []string { return next[id] }) {
		if !slices.ContainsFunc(cycle, func(id string) bool { return owner[id] != owner[cycle[0]] }) {
			continue // The check of its conversation finds it.
		}
		for _, id := range cycle {
			if file.concerns(owner[id]) {
				f := found.addCycle(id, cycle)
				f.Conversation, f.AcrossConversations = owner[id], true
			}
		}
	}
	return err
}

// checkSharedSources finds messages and summaries that are a source of more than one
// summary.
func (c *lineageCheck) checkSharedSources() {
	leaves := map[int64][]string{}
	for _, l := range slices.Concat(c.rows.MessageLinks, c.rows.IncomingLinks) {
		if l.Message != 0 && l.Owner != 0 && l.SourceOwner == c.rows.Row.ID && !slices.Contains(leaves[l.Message], l.Summary) {
			leaves[l.Message] = append(leaves[l.Message], l.Summary)
		}
	}
	reached := c.rows.ReachedSummaries()
	for _, l := range slices.Concat(c.rows.MessageLinks, c.rows.IncomingLinks) {
		if ids := leaves[l.Message]; len(ids) > 1 {
			delete(leaves, l.Message)
			reachedFirst(ids, reached)
			c.found.add(MessageInSeveralLeaves, messageAt(l.Message), "under "+strings.Join(ids, " and "), ids...)
		}
	}
	for _, n := range c.rows.Summaries {
		ids := slices.Clone(n.Derived)
		slices.Sort(ids)
		if ids = slices.Compact(ids); len(ids) > 1 {
			reachedFirst(ids, reached)
			f := c.found.add(SummaryInSeveralSummaries, summaryAt(n.ID), "under "+strings.Join(ids, " and "), ids...)
			if c.allDissolved(ids[1:], reached) {
				f.downgrade()
				f.Detail += "; lcm-tui dissolved all but the first"
			}
		}
	}
}

// allDissolved reports whether lcm-tui took all of these summaries out of a context, and
// the context reaches none of them.
func (c *lineageCheck) allDissolved(ids []string, reached map[string]bool) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { _, ok := c.file.dissolved[id]; return !ok || reached[id] })
}

// reachedFirst moves the ids that the context reaches to the front.
func reachedFirst(ids []string, reached map[string]bool) {
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

// checkLinkOrdinals finds gaps in the ordinals of each summary's links. The links are in
// that order.
func (c *lineageCheck) checkLinkOrdinals(table string, links []lcm.RawLink) {
	for len(links) > 0 {
		n := 1
		for n < len(links) && links[n].Summary == links[0].Summary {
			n++
		}
		if lo, hi := links[0].Ordinal, links[n-1].Ordinal; lo != 0 || hi != int64(n)-1 {
			c.found.add(LinkOrdinalGaps, rowAt(table, links[0].Summary), fmt.Sprintf("%d links with ordinals from %d to %d", n, lo, hi))
		}
		links = links[n:]
	}
}
