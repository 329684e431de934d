package prune

import (
	"context"
	"encoding/json"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/removal"
)

// writer writes the set of a plan.
type writer struct{ plan *pruning }

// WriteSet implements ops.SetWriter.
func (w *writer) WriteSet(ctx context.Context, db *data.DB, p ops.Plan, detail map[string]any, report data.Report) (change.Outcome, error) {
	const next = "free some space, or select less"
	if err := data.CheckRoom(filepath.Dir(db.Path()), p.Set.DiskNeeded,
		next+"; lcm-tui trash empty --older-than 1d --apply deletes what was pruned before, and not what was pruned today", next); err != nil {
		return change.Outcome{}, err
	}
	switch w.plan.op.Verb {
	case Copies:
		return w.dropCopies(ctx, db, p, detail, report)
	case Conversations:
		out, err := removal.RemoveConversations(ctx, db, removal.Request{
			Title: p.Title, Selector: p.Set.Selector, Guards: p.Set.Guards, FilesFolder: w.plan.op.FilesFolder,
			UnknownSessions: w.plan.unknownSessions(ctx),
		}, detail, report)
		warnUnmoved(db, out)
		return out.Outcome, err
	}
	f := removal.Forgetting{Verb: string(w.plan.op.Verb), Title: p.Title, Selector: p.Set.Selector, Guards: p.Set.Guards}
	for _, c := range w.plan.chosen {
		f.Rules = append(f.Rules, c.rule)
	}
	if w.plan.op.Externalise {
		return removal.MovePayloads(ctx, db, removal.Moving{Forgetting: f, Refer: w.plan.refer()}, detail, report)
	}
	if w.plan.matched != nil {
		return w.forget(ctx, db, f, p, detail, report)
	}
	return removal.ForgetTexts(ctx, db, f, detail, report)
}

// dropCopies drops the copies of texts.
func (w *writer) dropCopies(ctx context.Context, db *data.DB, p ops.Plan, detail map[string]any, report data.Report) (change.Outcome, error) {
	c, err := removal.NewCopyWriter(db, p.Set.Guards, p.Set.Rows["message_parts"])
	if err != nil {
		return change.Outcome{}, err
	}
	text, err := json.Marshal(detail)
	if err != nil {
		return change.Outcome{}, err
	}
	out, err := change.WriteSet(ctx, db, change.SetWrite{Op: p.Op, Title: p.Title, Detail: text, Prepare: c.Prepare, Write: c.Write, Report: report})
	c.Warn()
	return out, err
}
