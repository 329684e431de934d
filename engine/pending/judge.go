package pending

import (
	"fmt"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// The reasons for which hosts give up a batch whose source isn't any more what was planned, in
// their words.
const (
	ReasonRange       = "pending batch range is no longer compactable"
	ReasonFingerprint = "source projection fingerprint changed before publish"
	ReasonSource      = "pending batch source changed before publish"
	ReasonSourceRange = "pending batch source range changed before publish"
)

// Outcome is what the host does when it tries to publish a batch.
type Outcome string

// The outcomes.
const (
	Publishes Outcome = "publishes"
	GivesUp   Outcome = "gives up" // The batch becomes stale, and another is planned.
	Waits     Outcome = "waits"    // Texts are still to be written.
	Fails     Outcome = "fails"    // Every attempt ends with an error, and nothing changes.
	Never     Outcome = "never"    // A text is missing that nobody will write.
	Ignores   Outcome = "ignores"  // The host doesn't look at the batch.
	Finished  Outcome = "finished" // The batch was published or given up.
)

// Options are what a judgement depends on beside the batch.
type Options struct {
	Now time.Time
	// TailStart is the index of n places of a context at which the fresh tail begins; role
	// gives the role of a message and reports whether a place has one. Nil is unknown.
	TailStart func(n int, role func(i int) (string, bool), tokens func(i int) (int64, error)) (int, error)
	// TailAssumed says that nobody set how many messages the fresh tail has, so that the host's
	// may have more or fewer: where the host noted the beginning of the tail when it planned, that counts too.
	TailAssumed bool
}

// Verdict is what the host would do with a batch, and why.
type Verdict struct {
	Outcome   Outcome
	Reason    string // Empty where the host publishes.
	Node      string // The node that the reason is about, or empty.
	State     State
	FreshTail int64    // The ordinal at which the fresh tail begins.
	TailNoted bool     // It began there when the host planned the batch; where it begins now isn't known.
	Frontier  []string // The nodes by which the range would be replaced, so far as they are ready.
	NextClaim string   // The node that the host summarizes next, or empty.
	NextAt    data.Time
}

// Judge says what the host would do with the batch if it tried to publish it now.
func (b *Batch) Judge(o Options) Verdict {
	v := Verdict{NextAt: data.Time{Null: true}}
	v.FreshTail, v.TailNoted = b.freshTail(o)
	nodes, uncovered := b.frontier()
	for _, n := range nodes {
		v.Frontier = append(v.Frontier, n.ID)
	}
	v.Outcome, v.Reason, v.Node = b.outcome(o, v.FreshTail, nodes, uncovered)
	v.State = b.State(o.Now)
	if v.Outcome == Fails || v.Outcome == Never {
		v.State = Stuck
	}
	if v.Outcome == Waits || v.Outcome == Publishes {
		v.NextAt = b.NextAttemptAt(o.Now)
		if n := b.NextClaim(o.Now); n != nil {
			v.NextClaim = n.ID
		}
	}
	return v
}

// outcome finds the first reason, in the order of the host's checks.
func (b *Batch) outcome(o Options, tail int64, nodes []*Node, uncovered *Item) (out Outcome, reason, node string) {
	switch {
	case b.Status == lcm.BatchPublished:
		return Finished, "it is published", ""
	case !b.Active():
		return Finished, "it was given up", ""
	case b.Archived:
		return Ignores, "the conversation is archived, and the host doesn't work on archived ones", ""
	case b.Superseded:
		return Ignores, "a newer batch of the conversation is active, and the host looks only at that one", ""
	}
	if reason, node := b.change(tail); reason != "" {
		return GivesUp, reason, node
	}
	if uncovered != nil {
		return b.missing(*uncovered, o.Now)
	}
	if len(nodes) == 0 {
		return Never, "nothing of its range is left to summarize", ""
	}
	seen := map[string]bool{}
	for _, n := range nodes {
		for _, p := range b.published(n, seen) {
			switch {
			case !p.isReady():
				return Fails, "Pending summary node " + p.ID + " is not ready for publish", p.ID
			case p.Status == lcm.NodeReady && !p.HasText():
				return Fails, fmt.Sprintf("node %s is ready, but it has no text or no token count", p.ID), p.ID
			}
		}
	}
	return Publishes, "", ""
}

// change returns what is no longer as it was planned, in the host's words, and the node that it is
// about.
func (b *Batch) change(tail int64) (reason, node string) {
	items := b.itemsIn(b.First, b.Last)
	switch {
	case len(items) == 0 || b.Last >= tail || items[len(items)-1].Ordinal < b.Last:
		return ReasonRange, ""
	case b.hasOtherItems():
		return ReasonFingerprint, ""
	case hasGap(b.First, b.Last, items):
		return ReasonSourceRange, ""
	}
	if reason, node := b.firstReason(b.gapOf); reason != "" {
		return reason, node
	}
	return b.firstReason(b.changeOf)
}

// gapOf returns the reason where a node's range has places for which it names no source.
func (b *Batch) gapOf(n *Node) string {
	in := b.itemsIn(n.First, n.Last)
	lacking := n.Kind == lcm.KindLeaf && len(n.Messages) < len(in) || n.Kind != lcm.KindLeaf && len(n.Children) == 0
	if lacking || hasGap(n.First, n.Last, in) {
		return ReasonSourceRange
	}
	return ""
}

// changeOf returns the reason where a node's sources aren't in its range as they were.
func (b *Batch) changeOf(n *Node) string {
	gone := func(c lcm.PendingChild) bool {
		return c.Missing || c.ChildNode != "" && b.node(c.ChildNode) == nil || b.isMoved(n, c)
	}
	switch {
	case n.Kind == lcm.KindLeaf && !n.covers(b.itemsIn(n.First, n.Last)) || b.hasOtherSources(n):
		return ReasonSource
	case n.Kind != lcm.KindLeaf && slices.ContainsFunc(n.Children, gone):
		return ReasonSource
	}
	return ""
}

// hasGap reports whether places are missing between two ordinals.
func hasGap(first, last int64, items []Item) bool { return int64(len(items)) != last-first+1 }

// covers reports whether places hold the messages that the node names, and nothing else.
func (n *Node) covers(items []Item) bool {
	return slices.EqualFunc(items, n.Messages, func(i Item, m lcm.PendingMessage) bool { return i.Message == m.Message && !i.IsSummary() })
}

// missing says why no ready node covers a place.
func (b *Batch) missing(at Item, now time.Time) (out Outcome, reason, node string) {
	var found *Node
	for _, n := range b.Nodes {
		if n.First <= at.Ordinal && at.Ordinal <= n.Last && !n.isReady() && (found == nil || n.Kind == lcm.KindLeaf) {
			found = n
		}
	}
	for _, n := range b.Nodes {
		if n.isStuck() && n.Kind == lcm.KindLeaf { // A later one keeps the batch from being published, too.
			found = n
			break
		}
	}
	if found == nil {
		return Never, fmt.Sprintf("no node covers ordinal %d of its range", at.Ordinal), ""
	}
	out = Waits
	if found.isStuck() || !found.isOpen() {
		out = Never
	}
	return out, found.Waiting(now), found.ID
}

// Waiting says what an unfinished node waits for, as a sentence without a full stop.
func (n *Node) Waiting(now time.Time) string {
	name := fmt.Sprintf("the node of ordinals %d to %d", n.First, n.Last)
	if n.First == n.Last {
		name = fmt.Sprintf("the node of ordinal %d", n.First)
	}
	switch {
	case n.Status == lcm.NodePlanned:
		return name + " is planned; no text is written yet"
	case n.Status == lcm.NodeRunning && n.isStuck():
		return name + " is marked as running without a lease, so the host never takes it up again"
	case n.Status == lcm.NodeRunning && isDue(n.LeaseExpiresAt, now):
		return name + ": the lease ran out at " + n.LeaseExpiresAt.Raw + "; the host takes the node over at its next pass"
	case n.Status == lcm.NodeRunning:
		return name + " is being summarized; the lease runs until " + n.LeaseExpiresAt.Raw
	case n.Status == lcm.NodeFailed && n.isStuck():
		return fmt.Sprintf("%s failed %d times, and the host doesn't try again%s", name, n.RetryCount, because(n.Failure.Text))
	case n.Status == lcm.NodeFailed && isDue(n.NextAttemptAfter, now):
		return fmt.Sprintf("%s failed %d of %d times; the host tries again at its next pass%s", name, n.RetryCount, MaxRetries, because(n.Failure.Text))
	case n.Status == lcm.NodeFailed:
		return fmt.Sprintf("%s failed %d of %d times; the host tries again after %s%s", name, n.RetryCount, MaxRetries, n.NextAttemptAfter.Raw, because(n.Failure.Text))
	}
	return name + " is " + n.Status
}

// because returns a failure behind a statement.
func because(failure string) string {
	if failure == "" {
		return ""
	}
	return ": " + failure
}

// freshTail returns the ordinal at which the fresh tail begins, and whether only the host's note of it
// is known.
func (b *Batch) freshTail(o Options) (start int64, noted bool) {
	if len(b.Items) == 0 {
		return b.First, false
	}
	behind := b.Items[len(b.Items)-1].Ordinal + 1
	start = behind
	if o.TailStart != nil {
		at, _ := o.TailStart(len(b.Items), // Tokens are known, so it can't fail.
			func(i int) (string, bool) { return b.Items[i].Role, !b.Items[i].IsSummary() },
			func(i int) (int64, error) { return b.Items[i].Tokens, nil })
		if at < len(b.Items) {
			start = b.Items[at].Ordinal
		}
	}
	planned := b.Last + 1
	if b.FreshTailStart.Valid {
		planned = b.FreshTailStart.Value
	}
	if o.TailAssumed && start < planned && planned <= behind {
		return planned, true
	}
	return start, false
}
