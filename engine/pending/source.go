package pending

import (
	"slices"

	"lcm-tui/data/lcm"
)

// SourceChange says in the host's words why what an active batch is made of isn't any more what
// it was when it was planned, and the node that the reason is about. The reason is empty where
// the fingerprints are the same and every summary stands in its place. It leaves the fresh tail
// and what nodes lack out, for which the host gives a batch up too.
func (b *Batch) SourceChange() (reason, node string) {
	if b.hasOtherItems() {
		return ReasonFingerprint, ""
	}
	return b.firstReason(func(n *Node) string {
		moved := func(c lcm.PendingChild) bool { return b.isMoved(n, c) }
		if b.hasOtherSources(n) || slices.ContainsFunc(n.Children, moved) {
			return ReasonSource
		}
		return ""
	})
}

// hasOtherItems reports whether the places of the range aren't what they were when the batch was
// planned.
func (b *Batch) hasOtherItems() bool {
	return RangeFingerprint(b.Conversation, b.First, b.Last, b.itemsIn(b.First, b.Last)) != b.Fingerprint
}

// hasOtherSources reports whether the node is a leaf whose messages aren't what they were when it
// was planned.
func (b *Batch) hasOtherSources(n *Node) bool {
	return n.Kind == lcm.KindLeaf && ContextHash(n.First, n.Last, b.Sources(n)) != n.ContextHash.Text
}

// isMoved reports whether a child is a summary that doesn't stand in the node's range.
func (b *Batch) isMoved(n *Node, c lcm.PendingChild) bool {
	return c.ChildSummary != "" && b.summaryFingerprint(c.ChildSummary, n.First, n.Last) == ""
}

// firstReason returns the first reason that a check finds, and the node that it is about. It leaves
// out the nodes that are done or given up.
func (b *Batch) firstReason(check func(n *Node) string) (reason, node string) {
	for _, n := range b.Nodes {
		if n.Status == lcm.NodeStale || n.Status == lcm.NodePromoted {
			continue
		}
		if reason := check(n); reason != "" {
			return reason, n.ID
		}
	}
	return "", ""
}

// Uncovered returns the ordinal of the first message in the range of a batch that no ready node
// would replace, although no text is left to be written. It isn't found where there is none.
func (b *Batch) Uncovered() (ordinal int64, found bool) {
	for _, n := range b.Nodes {
		if n.isOpen() {
			return 0, false
		}
	}
	if _, at := b.frontier(); at != nil {
		return at.Ordinal, true
	}
	return 0, false
}
