// Package undo shows what undoing a record would bring back and take away, as the plan
// of an operation. It must not undo anything itself: that is the writer's.
package undo

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/trash"
)

// Op undoes the change of a record.
type Op struct {
	Record int64
	// Force undoes an import although its host may store the messages again.
	Force bool
	// Check refuses what the sessions of the host don't allow, where a record is about these; nil refuses nothing.
	Check func(ctx context.Context, db *data.DB, record int64) error
}

var _ ops.Op = (*Op)(nil)

// Name implements ops.Op.
func (*Op) Name() string { return "undo" }

// Plan implements ops.Op. It fails with data.ErrUndone where there is nothing to undo any more,
// and with a *data.OnlyStaleError where there never was. Rows that a bulk import made are named
// by their keys alone.
func (o *Op) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	r, changes, err := change.RecordChanges(ctx, db, o.Record)
	if err == nil {
		err = r.CheckUndo(changes)
	}
	if err == nil && o.Check != nil {
		err = o.Check(ctx, db, o.Record)
	}
	if err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), fmt.Sprintf("undo #%d: %s", r.ID, r.Title))
	p.Undoes, p.Force = r.ID, o.Force
	if restore, ok, err := trash.RestoreOf(ctx, db, r); ok || err != nil {
		err = noteRestore(ctx, db, &p, restore, err)
		return p, err
	}
	if r.Op == trash.RestoreOp {
		return ops.Plan{}, fmt.Errorf("record %d: %w", r.ID, ops.ErrRestored)
	}
	switch ops.SetVerb(r) {
	case ops.HistoryVerb:
		return ops.Plan{}, fmt.Errorf("record %d: %w", r.ID, ops.ErrHistory)
	case ops.BatchesVerb:
		return ops.Plan{}, fmt.Errorf("record %d: %w", r.ID, ops.ErrBatches)
	case ops.CopiesVerb:
		p.Note("the copies are made again from the texts of their parts")
		return p, ops.CheckUndoCopies(ctx, db, r.ID)
	}
	for _, c := range change.Invert(changes) {
		if !slices.Contains(data.SearchTables(), c.Table) && !revertsStale(c) {
			p.Changes = append(p.Changes, c)
			p.Texts = append(p.Texts, ops.ChangedTexts(c)...)
		}
	}
	updates, inserts, deletes := p.Count()
	p.Note(fmt.Sprintf("%s back to what they were, %s back, %s away",
		plural.Count(updates, "row goes", "rows go"), plural.Count(inserts, "row comes", "rows come"), plural.Count(deletes, "row goes", "rows go")))
	for _, note := range PendingNotes(r) {
		p.Note(note)
	}
	p.Note("what a host has written since stays; where rows of this change were changed since, nothing is undone")
	return p, nil
}

// noteRestore notes what comes back from the trash of a prune.
func noteRestore(ctx context.Context, db *data.DB, p *ops.Plan, r trash.Restore, err error) error {
	if err != nil {
		return err
	}
	preview, err := r.Preview(ctx, db)
	if err != nil {
		return err
	}
	for _, note := range ops.RestoreNotes(preview) {
		p.Note(note)
	}
	p.Note("it comes from the trash file " + r.File.Path)
	return nil
}

// revertsStale reports whether an inverted change would revert that a pending batch or node
// became stale, which undo leaves as it is.
func revertsStale(c change.Change) bool { return change.Invert([]change.Change{c})[0].MakesStale() }

// PendingNotes say what becomes of the pending batches that a record made stale or deleted when
// it is undone.
func PendingNotes(r change.Record) (notes []string) {
	if n := int(r.StaleBatches); n > 0 {
		notes = append(notes, plural.Count(n, "pending batch stays stale", "pending batches stay stale")+": the host plans the background compaction again by itself")
	}
	if n := int(r.DeletedBatches); n > 0 {
		notes = append(notes, plural.Count(n, "pending batch comes back", "pending batches come back")+" with nodes and texts; what was active comes back as stale, so that no host publishes it")
	}
	return notes
}
