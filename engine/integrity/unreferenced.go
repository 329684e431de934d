package integrity

import (
	"fmt"

	"lcm-tui/internal/plural"
)

// checkUnreferencedSummaries finds summaries that neither the context nor another summary
// names. /new drops all summaries below a depth that is set.
func (c *summaryCheck) checkUnreferencedSummaries() {
	if !c.file.has("context_items", "summary_parents") {
		return
	}
	for _, n := range c.rows.summaries {
		if n.inContext || len(n.derived) > 0 {
			continue
		}
		if c.addIfDissolved(n) {
			continue
		}
		if by := c.sourceInContext(n); by != "" {
			f := c.found.add(CompactionLeftover, summaryAt(n.ID), "nothing refers to it, while "+by+" is still in the context")
			f.NeedsNoChoice = c.canComplete(n)
			continue
		}
		if c.rows.isCleared() || c.rows.isReset(max(n.LatestAt.Unix(), n.CreatedAt.Unix())) {
			continue
		}
		f := c.found.add(SummaryUnreferenced, summaryAt(n.ID), fmt.Sprintf("%s summary of depth %d, neither in the context nor under another", n.Kind, n.Depth))
		if c.rows.mayBeReset && !c.hasOlderInContext(n) {
			f.downgrade()
			f.Detail += "; as /new leaves it"
		}
	}
}

// addIfDissolved adds a finding for a summary that lcm-tui dissolved, and reports whether
// it did. Such a summary stays in the table on purpose: its sources are in its place or
// under another summary.
func (c *summaryCheck) addIfDissolved(n *node) bool {
	record, ok := c.file.dissolved[n.ID]
	if !ok {
		return false
	}
	f := c.found.add(CompactionLeftover, summaryAt(n.ID), fmt.Sprintf("lcm-tui dissolved it into its sources (record %d); its text stays, and searches find it", record))
	f.downgrade()
	return true
}

// checkForgottenSources finds summaries that no model wrote and whose sources, at any depth,
// were forgotten: whoever writes them again, the host too, has only stubs to write from.
func (c *summaryCheck) checkForgottenSources() {
	for _, n := range c.rows.summaries {
		if !n.hasNoModelText {
			continue
		}
		var ids []int64
		seen := map[int64]bool{}
		collect := func(b *node) {
			for _, id := range b.messages {
				if c.rows.isForgotten(id) && !seen[id] {
					seen[id] = true
					ids = append(ids, id)
				}
			}
		}
		collect(n)
		c.rows.below(n, collect)
		if len(ids) > 0 {
			c.found.add(ForgottenUnderMarked, summaryAt(n.ID), fmt.Sprintf("no model wrote it, and the text of %s below it was forgotten", plural.Count(len(ids), "message", "messages")), formatIDs(ids)...)
		}
	}
}

// canComplete reports whether all sources of an unreferenced summary stand together in the
// context, so that it can replace them.
func (c *summaryCheck) canComplete(n *node) bool {
	want := map[string]bool{}
	for _, id := range n.messages {
		want[formatID(id)] = true
	}
	for _, id := range n.sources {
		want[id] = true
	}
	first, count := -1, 0
	for i, it := range c.rows.items {
		key := it.Summary
		if key == "" {
			key = formatID(it.Message)
		}
		if !want[key] {
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
	return count > 0 && count == len(want)
}

// sourceInContext is a source of an unreferenced summary that is still in the context, in
// words, or empty.
func (c *summaryCheck) sourceInContext(n *node) string {
	for _, id := range n.messages {
		if c.rows.inContext[id] {
			return "message " + formatID(id)
		}
	}
	for _, id := range n.sources {
		if source := c.rows.nodes[id]; source != nil && source.inContext {
			return "summary " + id
		}
	}
	return ""
}

// hasOlderInContext reports whether the context holds a summary that /new would have
// dropped before n.
func (c *summaryCheck) hasOlderInContext(n *node) bool {
	for _, o := range c.rows.summaries {
		if o.inContext && o.Depth <= n.Depth && o.LatestAt.Before(n.LatestAt.Time) {
			return true
		}
	}
	return false
}
