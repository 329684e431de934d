package integrity

import (
	"context"
	"fmt"
	"strings"
)

// orphans are summaries that nothing leads to. /new drops them from a context
// rightly: below a depth that is set, all of them.
func (t *talk) orphans() {
	if !t.has("context_items", "summary_parents") {
		return
	}
	for _, n := range t.order {
		if n.placed || len(n.derived) > 0 {
			continue
		}
		if t.byDissolve(n) {
			continue
		}
		if by := t.unfinished(n); by != "" {
			f := t.add(CompactionLeftover, summary(n.ID), "nothing leads to it, while "+by+" still stands in the context")
			f.Decided = t.completable(n)
			continue
		}
		if t.retired() || t.reset(max(n.LatestAt.Unix(), n.CreatedAt.Unix())) {
			continue
		}
		f := t.add(SummaryUnreferenced, summary(n.ID), fmt.Sprintf("%s of depth %d, neither in the context nor under another", n.Kind, n.Depth))
		if t.maybeNew && !t.keptOlder(n) {
			f.mild()
			f.Detail += "; as /new leaves it"
		}
	}
}

// byDissolve tells of an orphan that lcm-tui dissolved: it stays in the table on purpose, and
// its sources stand in its place or under another summary by now.
func (t *talk) byDissolve(n *node) bool {
	record, ok := t.dissolved[n.ID]
	if !ok {
		return false
	}
	f := t.add(CompactionLeftover, summary(n.ID), fmt.Sprintf("lcm-tui dissolved it into its sources (record %d); its text is kept and can still be found", record))
	f.mild()
	return true
}

// readDissolved reads which summaries were dissolved and are still there, from the records.
func (c *checker) readDissolved(ctx context.Context) error {
	c.dissolved = map[string]int64{}
	records, err := c.db.History(ctx)
	for _, r := range records {
		if words := strings.Fields(r.Title); r.Op == "dissolve" && !r.Undone() && len(words) > 1 && words[0] == "dissolve" {
			c.dissolved[words[1]] = r.ID
		}
	}
	return err
}

// completable reports whether all that an orphan was made of stands together in the
// context, so that it can take its place there.
func (t *talk) completable(n *node) bool {
	want := map[string]bool{}
	for _, id := range n.members {
		want[number(id)] = true
	}
	for _, id := range n.sources {
		want[id] = true
	}
	first, count := -1, 0
	for i, it := range t.items {
		key := it.Summary
		if key == "" {
			key = number(it.Message)
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

// unfinished is what an orphan was made of that still stands in the context.
func (t *talk) unfinished(n *node) string {
	for _, id := range n.members {
		if t.inContext[id] {
			return "message " + number(id)
		}
	}
	for _, id := range n.sources {
		if s := t.nodes[id]; s != nil && s.placed {
			return "summary " + id
		}
	}
	return ""
}

// keptOlder reports whether the context holds a summary that /new would have dropped
// before n.
func (t *talk) keptOlder(n *node) bool {
	for _, o := range t.order {
		if o.placed && o.Depth <= n.Depth && o.LatestAt.Before(n.LatestAt.Time) {
			return true
		}
	}
	return false
}
