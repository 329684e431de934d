package transplant

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/ops"
)

// transfer is one transplant while it is planned: what each step gives to the next ones.
type transfer struct {
	*Op
	source *source
	target *target
	plan   *ops.Plan

	selection selection
	present   duplicates
	originals originals
	rows      rowWriter
	files     fileCopies
	numbers   numbering
	dropped   dropped
}

// newTransfer reads the target, and what is needed of the source once the target is known to
// be one that its host reads.
func (o *Op) newTransfer(ctx context.Context, from *source, db *data.DB) (*transfer, error) {
	plan := ops.New(o.Name(), "")
	t := &transfer{Op: o, source: from, plan: &plan}
	var err error
	if t.target, err = o.openTarget(ctx, from, db); err != nil {
		return nil, err
	}
	if err := from.load(ctx); err != nil {
		return nil, err
	}
	t.selection.links = from.links
	t.rows = rowWriter{db: db, plan: t.plan, missingColumns: map[string]bool{}}
	return t, t.target.load(ctx)
}

// choose chooses the summaries that the request means, before the target is looked at.
func (t *transfer) choose(ctx context.Context) error {
	c := chooser{t.Op, t.source, t.plan}
	roots, err := c.roots(ctx)
	if err != nil {
		return err
	}
	return t.selectSummaries(ctx, c, roots)
}

// selectSummaries selects summaries with all below them.
func (t *transfer) selectSummaries(ctx context.Context, c chooser, roots []*lineage.Node) error {
	nodes, missing, err := c.descendants(ctx, roots)
	t.selection.nodes, t.selection.roots, t.selection.missingSources = nodes, outermost(roots, nodes), missing
	return err
}

// read reads all rows to copy, with every column.
func (t *transfer) read(ctx context.Context) (err error) {
	t.originals, err = readOriginals(ctx, t.source, &t.selection, t.plan)
	return err
}

// findFiles copies the large files that the copied texts name.
func (t *transfer) findFiles(ctx context.Context) error {
	t.files = fileCopies{Op: t.Op, source: t.source.db, rows: &t.rows, ids: map[string]string{}}
	return t.files.copyAll(ctx, t.originals.mentionedFiles())
}

// copySummaries adds the summaries and the links between them.
func (t *transfer) copySummaries(context.Context) error {
	(&summaryCopier{
		rowWriter: &t.rows, conversation: t.Target, graph: t.source.graph, selection: &t.selection, present: &t.present,
		originals: &t.originals, files: &t.files, numbers: &t.numbers, estimator: t.target.estimator(),
	}).copyAll()
	return nil
}

// copyMessages adds the messages, their parts, and the links from leaves to them.
func (t *transfer) copyMessages(ctx context.Context) error {
	c := &messageCopier{
		rowWriter: &t.rows, target: &t.target.Conversation, keepHashes: t.All, files: &t.files, numbers: &t.numbers, estimator: t.target.estimator(),
	}
	if err := c.copyAll(ctx, &t.originals); err != nil {
		return err
	}
	c.linkAll(&t.selection)
	t.dropped = c.dropped
	return nil
}

// place inserts the copied items into the target's context by their time. The target's own
// items stay in their order.
func (t *transfer) place(context.Context) error {
	p := placement{target: t.target, files: &t.files, numbers: &t.numbers}
	if items := p.newItems(&t.selection); len(items) > 0 {
		p.assignSlots(items)
		t.plan.ChangeContext(t.target.db, t.Target, t.target.context, merge(t.target.context, items))
	}
	return nil
}
