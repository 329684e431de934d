package pending

import "lcm-tui/data"

// SourceChange says in the host's words why what an active batch is made of isn't any more what
// it was when it was planned, and the node that the reason is about. The reason is empty where
// the fingerprints are the same and every summary stands in its place. It leaves the fresh tail
// and what nodes lack out, for which the host gives a batch up too.
func (b *Batch) SourceChange() (reason, node string) {
	if RangeFingerprint(b.Conversation, b.First, b.Last, b.itemsIn(b.First, b.Last)) != b.Fingerprint {
		return ReasonFingerprint, ""
	}
	for _, n := range b.Nodes {
		if n.Status == data.NodeStale || n.Status == data.NodePromoted {
			continue
		}
		if n.Kind == data.KindLeaf && ContextHash(n.First, n.Last, b.Sources(n)) != n.ContextHash.Text {
			return ReasonSource, n.ID
		}
		for _, c := range n.Children {
			if c.ChildSummary != "" && b.summaryFingerprint(c.ChildSummary, n.First, n.Last) == "" {
				return ReasonSource, n.ID
			}
		}
	}
	return "", ""
}

// Uncovered is the ordinal of the first message in the range of a batch that no ready node
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
