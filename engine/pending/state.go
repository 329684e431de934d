package pending

import (
	"context"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// State is how far the work on a batch is, in one word, as lists show it. It looks at the
// batch's nodes alone, and not at whether their sources are still the same.
type State string

// The states.
const (
	Preparing State = "preparing" // Texts are being written, or can be at the next pass.
	Waiting   State = "waiting"   // Every text that is missing has failed and waits for its next attempt.
	Prepared  State = "prepared"  // Every node is ready.
	Stuck     State = "stuck"     // The batch can't be published, and the host doesn't change that.
	Ignored   State = "ignored"   // The host doesn't look at the batch.
	NoState   State = ""          // The batch isn't active.
)

// State returns the state of the batch at a time.
func (b *Batch) State(now time.Time) State {
	switch {
	case !b.Active():
		return NoState
	case b.Archived || b.Superseded:
		return Ignored
	case len(b.Nodes) == 0:
		return Stuck
	}
	open, busy, failed := false, false, false
	for _, n := range b.Nodes {
		switch {
		case n.isStuck() || n.Status == lcm.NodeReady && !n.HasText() || n.Kind == lcm.KindLeaf && !n.isOpen() && !n.isReady():
			return Stuck
		case !n.isOpen() || b.isAboveOpen(n):
		case n.Status == lcm.NodeFailed && !isDue(n.NextAttemptAfter, now):
			failed = true
		default:
			busy = true
		}
		open = open || n.isOpen()
	}
	switch {
	case !open:
		return Prepared
	case failed && !busy:
		return Waiting
	}
	return Preparing
}

// isAboveOpen reports whether the node waits for others in its range.
func (b *Batch) isAboveOpen(n *Node) bool {
	return n.Kind != lcm.KindLeaf && slices.ContainsFunc(b.Nodes, func(o *Node) bool {
		return o.Depth < n.Depth && n.First <= o.First && o.Last <= n.Last && !o.isReady()
	})
}

// ReadStates reads the states of conversations that have an active batch: that of the newest
// one. It takes few statements, and reads neither sources nor the context, so that lists can
// ask for it.
func ReadStates(ctx context.Context, db *data.DB) (map[int64]State, error) {
	return readStates(ctx, db, lcm.PendingSelection{OnlyActive: true})
}

// ReadState works as ReadStates for one conversation.
func ReadState(ctx context.Context, db *data.DB, conv int64) (State, error) {
	all, err := readStates(ctx, db, lcm.PendingSelection{Conversation: conv, OnlyActive: true})
	return all[conv], err
}

func readStates(ctx context.Context, db *data.DB, of lcm.PendingSelection) (map[int64]State, error) {
	out := map[int64]State{}
	if !lcm.HasPendingTables(db.Schema()) {
		return out, nil
	}
	batches, err := readBatches(ctx, db, of)
	if err != nil {
		return nil, err
	}
	byID := map[string]*Batch{}
	for _, b := range batches {
		byID[b.ID] = b
	}
	err = readNodes(ctx, db, of, byID, 0)
	for _, b := range batches {
		if !b.Superseded {
			out[b.Conversation] = b.State(db.Now())
		}
	}
	return out, err
}
