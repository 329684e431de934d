package repair

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
)

// pendingRepair is what a repair does to pending batches: the writer alone changes them.
type pendingRepair struct {
	*state
	batches map[string]lcm.PendingBatch
	nodes   map[string]lcm.PendingNode
	sources map[string]*lcm.PendingSources

	order    []string                     // The batches, as findings named them first.
	reasons  map[string]integrity.FaultID // Why a batch becomes stale.
	deleted  map[string]bool              // Batches that are deleted.
	archived map[string]bool              // Batches of archived conversations, for which no host plans.
	dropped  map[string]bool              // Nodes that are deleted from a batch that becomes stale.
}

// pendingRepairs are the faults whose repair makes batches stale or deletes them.
var pendingRepairs = []integrity.FaultID{
	integrity.PendingOfArchived, integrity.PendingLeaseMissing, integrity.PendingRetriesUsedUp, integrity.PendingSourceChanged,
	integrity.PendingBatchDuplicate, integrity.PendingTextMissing, integrity.PendingStatusContradictory, integrity.PendingAcrossConversations,
	integrity.PendingSourceMissing, integrity.PendingBatchExpired, integrity.PendingFallback, integrity.PendingRangeUncovered,
}

// repairPending makes batches stale that the host can't finish, so that it plans new ones, and
// deletes those that nobody needs.
func repairPending(ctx context.Context, s *state) error {
	if !s.found.has(pendingRepairs...) {
		return nil
	}
	r := &pendingRepair{
		state: s, batches: map[string]lcm.PendingBatch{}, nodes: map[string]lcm.PendingNode{},
		reasons: map[string]integrity.FaultID{}, deleted: map[string]bool{}, archived: map[string]bool{}, dropped: map[string]bool{},
	}
	if err := r.read(ctx); err != nil {
		return err
	}
	for _, fault := range pendingRepairs {
		for _, f := range s.found.of(fault) {
			r.decide(f)
		}
	}
	r.dropParents()
	return r.change(ctx)
}

// read reads all batches: the rows of one may be of another conversation.
func (r *pendingRepair) read(ctx context.Context) error {
	batches, err := lcm.PendingBatches(ctx, r.db, lcm.PendingSelection{})
	if err != nil {
		return err
	}
	for _, b := range batches {
		r.batches[b.ID] = b
	}
	nodes, err := lcm.PendingNodes(ctx, r.db, lcm.PendingSelection{}, 0)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		r.nodes[n.ID] = n
	}
	r.sources, err = lcm.ReadPendingSources(ctx, r.db, lcm.PendingSelection{})
	return err
}

// decide says what becomes of the batches of a finding.
func (r *pendingRepair) decide(f integrity.Finding) {
	ids := []string{f.Row}
	if f.Table == data.PendingNodeTable {
		ids = []string{r.nodes[f.Row].Batch}
	}
	switch f.Fault {
	case integrity.PendingBatchDuplicate:
		ids = f.Rows[1:] // The first is the newest.
	case integrity.PendingBatchExpired:
		ids = f.Rows
	}
	for _, id := range ids {
		if _, exists := r.batches[id]; !exists {
			r.found.leave(f, "its batch doesn't exist, so that no host looks at it")
			return
		}
	}
	for _, id := range ids {
		if !slices.Contains(r.order, id) {
			r.order = append(r.order, id)
		}
		r.archived[id] = r.archived[id] || f.Fault == integrity.PendingOfArchived
		if r.isDeletedFor(f.Fault, r.batches[id]) {
			r.deleted[id] = true
			continue
		}
		if _, known := r.reasons[id]; !known {
			r.reasons[id] = f.Fault
		}
		if f.Fault == integrity.PendingSourceMissing {
			r.dropped[f.Row] = true
		}
	}
	r.found.markRepaired(f)
}

// isDeletedFor reports whether the repair of a fault deletes the batch, and doesn't make it
// stale. A batch that is finished can't become what the fault isn't about, and one with nodes of
// another conversation is deleted in the plans of both.
func (r *pendingRepair) isDeletedFor(fault integrity.FaultID, b lcm.PendingBatch) bool {
	if r.op.Faults == nil || slices.Contains(r.op.Faults, integrity.PendingAcrossConversations) {
		for _, n := range r.nodes {
			if n.Batch == b.ID && n.Conversation != b.Conversation {
				return true
			}
		}
	}
	switch fault {
	case integrity.PendingOfArchived, integrity.PendingBatchExpired, integrity.PendingAcrossConversations:
		return true
	case integrity.PendingSourceMissing:
		return !b.Active()
	case integrity.PendingStatusContradictory:
		return !b.Active() && b.Status != lcm.BatchPublished
	}
	return false
}

// dropParents drops condensed nodes all of whose children are dropped: they would be without
// sources.
func (r *pendingRepair) dropParents() {
	for again := len(r.dropped) > 0; again; {
		again = false
		for id, s := range r.sources {
			isKept := func(c lcm.PendingChild) bool { return c.ChildNode == "" || !r.dropped[c.ChildNode] }
			if n := r.nodes[id]; n.Kind == lcm.KindCondensed && !r.dropped[id] && len(s.Children) > 0 && !slices.ContainsFunc(s.Children, isKept) {
				r.dropped[id], again = true, true
			}
		}
	}
}

// change adds the changes of the batches to the plan, and says what each means.
func (r *pendingRepair) change(ctx context.Context) error {
	add := func(cs []change.Change, err error) error {
		r.pending = append(r.pending, cs...)
		return err
	}
	for _, id := range r.order {
		if r.deleted[id] {
			r.note(id, "is deleted")
			if err := add(change.DeleteBatches(ctx, r.db, id)); err != nil {
				return err
			}
			continue
		}
		r.note(id, "becomes stale")
		fault, _ := integrity.Lookup(r.reasons[id])
		if err := add(change.StaleBatches(ctx, r.db, "made stale by lcm-tui: "+fault.One, id)); err != nil {
			return err
		}
		var nodes []string
		for _, n := range sortedKeys(r.dropped) {
			if r.nodes[n].Batch == id {
				nodes = append(nodes, n)
			}
		}
		if err := add(change.DeleteNodes(ctx, r.db, nodes...)); err != nil {
			return err
		}
	}
	if len(r.order) > 0 {
		r.plan.Note("undo doesn't make a pending batch active again, since its host could publish it by places that mean other messages then: a deleted one comes back as stale, a stale one stays stale")
	}
	return nil
}

// note says what becomes of a batch, and which texts are given up with it.
func (r *pendingRepair) note(id, becomes string) {
	b := r.batches[id]
	nodes, written, tokens := 0, 0, int64(0)
	for _, n := range r.nodes {
		if n.Batch != id {
			continue
		}
		nodes++
		if n.Bytes > 0 {
			written, tokens = written+1, tokens+n.Tokens.Value
		}
	}
	text := fmt.Sprintf("pending batch %s of conversation %d %s with %s", id, b.Conversation, becomes, plural.Count(nodes, "node", "nodes"))
	if written > 0 {
		text += fmt.Sprintf("; %s that a model wrote, %s, %s lost", plural.Count(written, "text", "texts"),
			plural.Count(int(tokens), "token", "tokens"), map[bool]string{true: "is", false: "are"}[written == 1])
	}
	if b.Active() && !r.archived[id] {
		text += "; the host plans another at its next pass"
	}
	r.plan.Note(text)
}
