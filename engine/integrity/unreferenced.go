package integrity

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data/change"
)

// checkUnreferencedSummaries finds summaries that neither the context nor another summary
// names. /new drops all summaries below a depth that is set.
func (s *conversationScan) checkUnreferencedSummaries() {
	if !s.has("context_items", "summary_parents") {
		return
	}
	for _, n := range s.summaries {
		if n.inContext || len(n.derived) > 0 {
			continue
		}
		if s.addIfDissolved(n) {
			continue
		}
		if by := s.sourceInContext(n); by != "" {
			f := s.add(CompactionLeftover, summaryAt(n.ID), "nothing refers to it, while "+by+" is still in the context")
			f.NeedsNoChoice = s.canComplete(n)
			continue
		}
		if s.isCleared() || s.isReset(max(n.LatestAt.Unix(), n.CreatedAt.Unix())) {
			continue
		}
		f := s.add(SummaryUnreferenced, summaryAt(n.ID), fmt.Sprintf("%s summary of depth %d, neither in the context nor under another", n.Kind, n.Depth))
		if s.mayBeReset && !s.hasOlderInContext(n) {
			f.downgrade()
			f.Detail += "; as /new leaves it"
		}
	}
}

// addIfDissolved adds a finding for a summary that lcm-tui dissolved, and reports whether
// it did. Such a summary stays in the table on purpose: its sources are in its place or
// under another summary.
func (s *conversationScan) addIfDissolved(n *node) bool {
	record, ok := s.dissolved[n.ID]
	if !ok {
		return false
	}
	f := s.add(CompactionLeftover, summaryAt(n.ID), fmt.Sprintf("lcm-tui dissolved it into its sources (record %d); its text stays, and searches find it", record))
	f.downgrade()
	return true
}

// readDissolved reads from the records which summaries were dissolved and still exist.
func (c *checker) readDissolved(ctx context.Context) error {
	c.dissolved = map[string]int64{}
	records, err := change.History(ctx, c.db)
	for _, r := range records {
		if words := strings.Fields(r.Title); r.Op == "dissolve" && !r.Undone() && len(words) > 1 && words[0] == "dissolve" {
			c.dissolved[words[1]] = r.ID
		}
	}
	return err
}

// canComplete reports whether all sources of an unreferenced summary stand together in the
// context, so that it can replace them.
func (s *conversationScan) canComplete(n *node) bool {
	want := map[string]bool{}
	for _, id := range n.messages {
		want[formatID(id)] = true
	}
	for _, id := range n.sources {
		want[id] = true
	}
	first, count := -1, 0
	for i, it := range s.items {
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
func (s *conversationScan) sourceInContext(n *node) string {
	for _, id := range n.messages {
		if s.inContext[id] {
			return "message " + formatID(id)
		}
	}
	for _, id := range n.sources {
		if source := s.nodes[id]; source != nil && source.inContext {
			return "summary " + id
		}
	}
	return ""
}

// hasOlderInContext reports whether the context holds a summary that /new would have
// dropped before n.
func (s *conversationScan) hasOlderInContext(n *node) bool {
	for _, o := range s.summaries {
		if o.inContext && o.Depth <= n.Depth && o.LatestAt.Before(n.LatestAt.Time) {
			return true
		}
	}
	return false
}
