package integrity

import (
	"fmt"

	"lcm-tui/engine/integrity/scan"
	"lcm-tui/internal/plural"
)

// checkUnreferencedSummaries finds summaries that neither the context nor another summary
// names. /new drops all summaries below a depth that is set.
func (c *summaryCheck) checkUnreferencedSummaries() {
	if !c.file.has("context_items", "summary_parents") {
		return
	}
	for _, n := range c.rows.Summaries {
		if n.InContext || len(n.Derived) > 0 {
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
		if c.rows.IsCleared() || c.rows.IsReset(max(n.LatestAt.Unix(), n.CreatedAt.Unix())) {
			continue
		}
		f := c.found.add(SummaryUnreferenced, summaryAt(n.ID), fmt.Sprintf("%s summary of depth %d, neither in the context nor under another", n.Kind, n.Depth))
		if c.rows.MayBeReset && !c.hasOlderInContext(n) {
			f.downgrade()
			f.Detail += "; as /new leaves it"
		}
	}
}

// addIfDissolved adds a finding for a summary that lcm-tui dissolved, and reports whether
// it did. Such a summary stays in the table on purpose: its sources are in its place or
// under another summary.
func (c *summaryCheck) addIfDissolved(n *scan.Summary) bool {
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
	for _, n := range c.rows.Summaries {
		if !n.HasNoModelText {
			continue
		}
		var ids []int64
		seen := map[int64]bool{}
		collect := func(b *scan.Summary) {
			for _, id := range b.Messages {
				if c.rows.IsForgotten(id) && !seen[id] {
					seen[id] = true
					ids = append(ids, id)
				}
			}
		}
		collect(n)
		c.rows.Below(n, collect)
		if len(ids) > 0 {
			c.found.add(ForgottenUnderMarked, summaryAt(n.ID), fmt.Sprintf("no model wrote it, and the text of %s below it was forgotten", plural.Count(len(ids), "message", "messages")), formatIDs(ids)...)
		}
	}
}

// canComplete reports whether all sources of an unreferenced summary stand together in the
// context, so that it can replace them.
func (c *summaryCheck) canComplete(n *scan.Summary) bool {
	want := map[string]bool{}
	for _, id := range n.Messages {
		want[formatID(id)] = true
	}
	for _, id := range n.Sources {
		want[id] = true
	}
	first, count := -1, 0
	for i, it := range c.rows.Items {
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

// sourceInContext returns a source of an unreferenced summary that is still in the context, in
// words, or empty.
func (c *summaryCheck) sourceInContext(n *scan.Summary) string {
	for _, id := range n.Messages {
		if c.rows.InContext[id] {
			return "message " + formatID(id)
		}
	}
	for _, id := range n.Sources {
		if source := c.rows.Nodes[id]; source != nil && source.InContext {
			return "summary " + id
		}
	}
	return ""
}

// hasOlderInContext reports whether the context holds a summary that /new would have
// dropped before n.
func (c *summaryCheck) hasOlderInContext(n *scan.Summary) bool {
	for _, o := range c.rows.Summaries {
		if o.InContext && o.Depth <= n.Depth && o.LatestAt.Before(n.LatestAt.Time) {
			return true
		}
	}
	return false
}
