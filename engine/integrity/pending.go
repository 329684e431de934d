package integrity

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
)

// pendingScan is the state of the check of what hosts prepare in the background.
type pendingScan struct {
	found   *findings
	file    *fileScan
	batches map[string]*lcm.PendingBatch
	newest  []*lcm.PendingBatch // All batches, newest first.
	nodes   []*lcm.PendingNode
	byID    map[string]*lcm.PendingNode
	sources map[string]*lcm.PendingSources
	judged  []*pending.Batch           // The same batches with the context; nil where none is active.
	context map[int64]*preparedContext // Of conversations with an active batch.
}

// checkPending checks the pending batches of the file. It takes a few statements, and none in
// a file of 0.x. Rows are compared by their conversation, which another row may contradict, so
// that the check of one conversation reads all of them too.
func checkPending(ctx context.Context, file *fileScan, found *findings) error {
	asked := file.wants(Select(func(f Fault) bool { return f.ID.Area() == PendingArea })...)
	if !asked || !lcm.HasPendingTables(file.db.Schema()) {
		return nil
	}
	p := &pendingScan{found: found, file: file, batches: map[string]*lcm.PendingBatch{}, byID: map[string]*lcm.PendingNode{}, context: map[int64]*preparedContext{}}
	if err := p.read(ctx); err != nil {
		return err
	}
	p.checkBatches()
	p.checkExpired()
	p.checkFailures()
	for _, n := range p.nodes {
		p.checkNode(n)
	}
	p.checkSources()
	p.checkCoverage()
	return nil
}

// read reads batches, nodes, what they are made of, and the contexts in which they lie.
func (p *pendingScan) read(ctx context.Context) error {
	var all lcm.PendingSelection
	batches, err := lcm.PendingBatches(ctx, p.file.db, all)
	if err != nil {
		return err
	}
	for i := range batches {
		p.newest, p.batches[batches[i].ID] = append(p.newest, &batches[i]), &batches[i]
	}
	textBytes := 0
	if p.file.wants(PendingOfArchived, PendingTextMissing, PendingBatchExpired, PendingFallback) {
		textBytes = data.WholeText
	}
	nodes, err := lcm.PendingNodes(ctx, p.file.db, all, textBytes)
	if err != nil {
		return err
	}
	for i := range nodes {
		p.nodes, p.byID[nodes[i].ID] = append(p.nodes, &nodes[i]), &nodes[i]
	}
	if p.sources, err = lcm.ReadPendingSources(ctx, p.file.db, all); err != nil {
		return err
	}
	return p.readContexts(ctx)
}

// hasNodeColumns reports whether nodes have these columns: what a file can't hold is no damage.
func (p *pendingScan) hasNodeColumns(columns ...string) bool {
	return p.file.db.Schema().Has(data.PendingNodeTable, columns...)
}

// of returns the batch of a node, or nil.
func (p *pendingScan) of(n *lcm.PendingNode) *lcm.PendingBatch { return p.batches[n.Batch] }

// isActive reports whether the batch of a node is active.
func (p *pendingScan) isActive(n *lcm.PendingNode) bool {
	b := p.of(n)
	return b != nil && b.Active()
}

// addBatch adds a finding of a batch. Its first row is the batch.
func (p *pendingScan) addBatch(fault FaultID, b *lcm.PendingBatch, detail string, rows ...string) {
	p.addAt(fault, b.Conversation, rowAt(data.PendingBatchTable, b.ID), detail, rows...)
}

// addNode adds a finding of a node and its batch.
func (p *pendingScan) addNode(fault FaultID, n *lcm.PendingNode, detail string) *Finding {
	return p.addAt(fault, n.Conversation, rowAt(data.PendingNodeTable, n.ID), detail, n.ID, n.Batch)
}

// addAt adds a finding of a conversation, unless another conversation is checked.
func (p *pendingScan) addAt(fault FaultID, conv int64, where location, detail string, rows ...string) *Finding {
	if !p.file.concerns(conv) {
		return &Finding{}
	}
	f := p.found.add(fault, where, detail, rows...)
	f.Conversation = conv
	return f
}
