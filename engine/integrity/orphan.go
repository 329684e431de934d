package integrity

import "fmt"

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
		if by := t.unfinished(n); by != "" {
			t.add("L09", summary(n.ID), "nothing leads to it, while "+by+" still stands in the context")
			continue
		}
		if t.retired() || t.reset(max(n.LatestAt.Unix(), n.CreatedAt.Unix())) {
			continue
		}
		f := t.add("L08", summary(n.ID), fmt.Sprintf("%s of depth %d, neither in the context nor under another", n.Kind, n.Depth))
		if t.maybeNew && !t.keptOlder(n) {
			f.mild()
			f.Detail += "; as /new leaves it"
		}
	}
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
