package undo

import (
	"context"
	"errors"
	"fmt"
	"os"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops"
	"lcm-tui/ops/trash"
)

// Restore puts back what is in a file of the trash, whole or some conversations of it.
type Restore struct {
	File          trash.File
	Conversations []int64 // None means all.
}

var _ ops.Op = (*Restore)(nil)

// Name implements ops.Op.
func (*Restore) Name() string { return trash.RestoreOp }

// Plan implements ops.Op. It fails as the restore would, and with ops.ErrNothing where all is there.
func (o *Restore) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	r, err := o.restore(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	preview, err := r.Preview(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	if preview.Empty() {
		return ops.Plan{}, fmt.Errorf("all of %s is there: %w", o.File.Name, ops.ErrNothing)
	}
	set := ops.Set{Verb: trash.RestoreOp, Selector: o.File.Title(), Rows: map[string]int64{"messages": preview.Messages + preview.Texts}, Writer: o}
	for _, c := range preview.Conversations {
		row := ops.SetConversation{ID: c.ID, Key: c.SessionKey, State: "is there", NewestMessage: data.Time{Null: true}, Rows: map[string]int64{"messages": c.Messages + c.Texts}}
		switch {
		case c.Taken:
			row.State, row.Why = "comes back archived", "another conversation has its key or session"
		case c.Missing:
			row.State = "comes back"
		}
		if c.Missing {
			row.Rows["conversations"] = 1
			set.Rows["conversations"]++
		}
		set.Conversations = append(set.Conversations, row)
	}
	for _, f := range o.File.Files {
		if info, err := os.Stat(o.File.Stored(f)); err == nil {
			set.Files = append(set.Files, ops.SetFile{Path: f.Path, Bytes: info.Size(), At: info.ModTime()})
		}
	}
	p := ops.NewSet(o.Name(), r.Title(), set)
	p.Forecast = nil // How much larger the file becomes isn't counted.
	for _, note := range ops.RestoreNotes(preview) {
		p.Note(note)
	}
	p.Note("it comes from the trash file " + o.File.Path)
	return p, nil
}

// restore returns what is put back, with the digest that the record of the prune has of the file.
func (o *Restore) restore(ctx context.Context, db *data.DB) (trash.Restore, error) {
	r := trash.Restore{File: o.File, Conversations: o.Conversations}
	if o.File.Record == 0 {
		return r, nil
	}
	record, _, err := change.RecordChanges(ctx, db, o.File.Record)
	receipt, _ := change.ReceiptOf(record)
	r.SHA256 = receipt.SHA256
	return r, err
}

// WriteSet implements ops.SetWriter. What couldn't be put back as it was is a warning of the database.
func (o *Restore) WriteSet(ctx context.Context, db *data.DB, _ ops.Plan, _ map[string]any, report data.Report) (change.Outcome, error) {
	r, err := o.restore(ctx, db)
	if err != nil {
		return change.Outcome{}, err
	}
	out, err := r.Apply(ctx, db, report)
	for _, note := range ops.RestoreWarnings(out) {
		db.Warn(errors.New(note))
	}
	return out.Outcome, err
}
