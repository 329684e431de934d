package pending

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// MaxRetries is how many failures a node may have: with the last of them the host gives up
// the batch.
const MaxRetries = 3

// HasText reports whether the node has a text and a count of its tokens, which the host needs
// when it publishes the node.
func (n *Node) HasText() bool {
	blank := strings.TrimSpace(n.Content.Text) == "" && n.Bytes <= int64(len(n.Content.Text))
	return !n.Content.Null && !blank && n.Tokens.Valid
}

// isReady reports whether the host takes the node for summarized.
func (n *Node) isReady() bool { return n.Status == lcm.NodeReady || n.Status == lcm.NodePromoted }

// isOpen reports whether the node still has to be summarized.
func (n *Node) isOpen() bool {
	return n.Status == lcm.NodePlanned || n.Status == lcm.NodeRunning || n.Status == lcm.NodeFailed
}

// isStuck reports whether the host never works on an open node again.
func (n *Node) isStuck() bool {
	return n.Status == lcm.NodeRunning && n.LeaseExpiresAt.Null || n.Status == lcm.NodeFailed && n.RetryCount >= MaxRetries
}

// claimableAt returns when the host may claim an open node that isn't stuck; zero is at once.
func (n *Node) claimableAt() data.Time {
	switch n.Status {
	case lcm.NodeRunning:
		return n.LeaseExpiresAt
	case lcm.NodeFailed:
		return n.NextAttemptAfter
	}
	return data.Time{Null: true}
}

// isDue reports whether a time has come, as the host compares it: as text. NULL has come.
func isDue(at data.Time, now time.Time) bool {
	return at.Null || at.Raw <= data.FormatTimeMillis(now)
}

// NextClaim returns the node that the host would summarize next, or nil: the first by ordinal, depth
// and id of those that may be claimed now and whose child nodes are all ready.
func (b *Batch) NextClaim(now time.Time) *Node {
	ready := map[string]bool{}
	for _, n := range b.Nodes {
		ready[n.ID] = n.isReady()
	}
	for _, n := range b.Nodes {
		waits := slices.ContainsFunc(n.Children, func(c lcm.PendingChild) bool { return c.ChildNode != "" && !ready[c.ChildNode] })
		if n.isOpen() && !n.isStuck() && !waits && isDue(n.claimableAt(), now) {
			return n
		}
	}
	return nil
}

// NextAttemptAt returns when the first of the nodes that can't be claimed yet may be claimed; NULL
// where there is none.
func (b *Batch) NextAttemptAt(now time.Time) data.Time {
	next := data.Time{Null: true}
	for _, n := range b.Nodes {
		if at := n.claimableAt(); n.isOpen() && !n.isStuck() && !isDue(at, now) && (next.Null || cmp.Less(at.Raw, next.Raw)) {
			next = at
		}
	}
	return next
}

// Sources returns the fingerprints of what a node is made of, as the host takes them when it plans
// the node: of a leaf and of what was planned together with the node those of the places of the
// context, of a node that was planned before it that node's own. A place that is gone gives an
// empty one.
func (b *Batch) Sources(n *Node) []string { return b.sources(n, plan(n.ID), map[string]bool{}) }

func (b *Batch) sources(n *Node, planned string, seen map[string]bool) (out []string) {
	if n.Kind == lcm.KindLeaf || seen[n.ID] {
		for _, i := range b.itemsIn(n.First, n.Last) {
			out = append(out, i.Fingerprint)
		}
		return out
	}
	seen[n.ID] = true
	for _, c := range n.Children {
		child := b.node(c.ChildNode)
		switch {
		case c.ChildSummary != "":
			out = append(out, b.summaryFingerprint(c.ChildSummary, n.First, n.Last))
		case child == nil:
			out = append(out, "")
		case plan(child.ID) == planned:
			out = append(out, b.sources(child, planned, seen)...)
		default:
			out = append(out, child.Fingerprint)
		}
	}
	return out
}

// plan returns the part of a node's id that nodes have in common which were planned together.
func plan(id string) string {
	for _, kind := range []string{"-leaf-", "-condensed-"} {
		id, _, _ = strings.Cut(id, kind)
	}
	return id
}

func (b *Batch) node(id string) *Node {
	if i := slices.IndexFunc(b.Nodes, func(n *Node) bool { return n.ID == id }); i >= 0 && id != "" {
		return b.Nodes[i]
	}
	return nil
}

// summaryFingerprint returns that of the place of a summary between two ordinals, or empty.
func (b *Batch) summaryFingerprint(id string, first, last int64) string {
	for _, i := range b.itemsIn(first, last) {
		if i.Summary == id {
			return i.Fingerprint
		}
	}
	return ""
}

// itemsIn returns the places of the context from one ordinal to another.
func (b *Batch) itemsIn(first, last int64) []Item { return itemsIn(b.Items, first, last) }

func itemsIn(items []Item, first, last int64) []Item {
	at := func(o int64) int {
		i, _ := slices.BinarySearchFunc(items, o, func(i Item, o int64) int { return cmp.Compare(i.Ordinal, o) })
		return i
	}
	from, to := at(first), len(items)
	if last < first {
		return nil
	}
	if last < math.MaxInt64 {
		to = at(last + 1)
	}
	return items[from:to:to]
}
