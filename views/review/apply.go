package review

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/outcome"
	"lcm-tui/ops"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ui"
	"lcm-tui/views"
)

type (
	appliedMsg struct {
		record, last int64 // The last one differs where there was more than one step.
		broken       error // Why the steps ended early.
		took         time.Duration
		notes        []string // What became of it beyond its rows.
		undone       undoneMsg
	}
	redoneMsg struct {
		of, record int64 // The record that was undone, and the new one.
		took       time.Duration
	}
	undoneMsg struct {
		stale  int64  // Pending batches that stay stale.
		noRedo string // Why the record can't be redone; empty where it can.
	}
	notWrittenMsg struct{ err error }
	checkedMsg    struct{ err error }
)

// apply can't be cancelled half-way: either all of it is written or nothing. What
// is written step by step goes on from the first one, and can be broken off between
// two of them.
func (pr *proposal) apply() tea.Cmd {
	db, p, op := pr.env.DB, pr.plan, pr.op
	return pr.env.Jobs.Start(pr.owner, "apply", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		start := time.Now()
		out, err := ops.ApplyPlan(ctx, db, p, report)
		if err != nil {
			return notWrittenMsg{outcome.Of(ctx).Explain(err)}, nil
		}
		last, err := applySteps(ctx, db, op, report)
		msg := appliedMsg{record: out.Record, last: max(out.Record, last), broken: err, took: time.Since(start), notes: ops.Outcome(out)}
		if p.Undoes != 0 {
			msg.undone = afterUndo(ctx, db, p.Undoes)
		}
		return msg, nil
	})
}

// applySteps writes what follows the first step of an operation, and gives the last
// record.
func applySteps(ctx context.Context, db *data.DB, op ops.Op, report data.Report) (last int64, err error) {
	s, ok := op.(ops.Stepper)
	ctx, release := ops.KeepLocks(ctx)
	defer release()
	for n := 1; ok; n++ {
		var step ops.Op
		if step, ok = s.Step(n); !ok {
			break
		}
		p, err := step.Plan(ctx, db, report)
		if errors.Is(err, ops.ErrNothing) {
			break
		}
		if err == nil {
			last, err = ops.Apply(ctx, db, p, report)
		}
		if err != nil {
			return last, err
		}
	}
	return last, nil
}

func (pr *proposal) undo() tea.Cmd {
	db, id, check := pr.env.DB, pr.record, sessionkey.UndoCheck(pr.env.Locations)
	return pr.env.Jobs.Start(pr.owner, "undo", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		err := check(ctx, db, id)
		if err == nil {
			err = ops.Undo(data.ReportWaits(ctx, report), db, id)
		}
		if err != nil {
			return notWrittenMsg{outcome.Of(ctx).Explain(err)}, nil
		}
		return afterUndo(ctx, db, id), nil
	})
}

// showUndone shows that what was applied is undone.
func (pr *proposal) showUndone(msg undoneMsg) tea.Cmd {
	pr.state, pr.err, pr.undone = undone, nil, msg
	return ui.Say(ui.ChangedMsg{})
}

// redo makes what was undone again at once, as undo undid it: what it changes was seen before.
func (pr *proposal) redo() tea.Cmd {
	db, id := pr.env.DB, pr.record
	return pr.env.Jobs.Start(pr.owner, "redo", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		start := time.Now()
		p, err := (&redo.Op{Record: id}).Plan(ctx, db, report)
		if err != nil {
			return nil, err
		}
		out, err := ops.ApplyPlan(ctx, db, p, report)
		if err != nil {
			return notWrittenMsg{outcome.Of(ctx).Explain(err)}, nil
		}
		return redoneMsg{of: id, record: out.Record, took: time.Since(start)}, nil
	})
}

// showRedone shows that what was undone is made again.
func (pr *proposal) showRedone(msg redoneMsg) tea.Cmd {
	pr.state, pr.redone, pr.first, pr.record, pr.took, pr.err = applied, msg.of, msg.record, msg.record, msg.took, nil
	return ui.Say(ui.ChangedMsg{})
}

// afterUndo returns what is left to say of an undone record, or nothing where it can't be read.
func afterUndo(ctx context.Context, db *data.DB, id int64) undoneMsg {
	all, err := change.History(ctx, db)
	if i := slices.IndexFunc(all, func(r change.Record) bool { return r.ID == id }); err == nil && i >= 0 {
		return undoneMsg{all[i].StaleBatches, redo.WhyNot(db, all[i])}
	}
	return undoneMsg{}
}

// showApplied shows what was applied.
func (pr *proposal) showApplied(msg appliedMsg) tea.Cmd {
	pr.state, pr.record, pr.first, pr.redone, pr.took, pr.err = applied, msg.last, msg.record, 0, msg.took, nil
	if pr.plan.Undoes != 0 {
		pr.state, pr.undone = undone, msg.undone
	}
	pr.plan.Notes = append(pr.plan.Notes, msg.notes...)
	for _, t := range pr.plan.Texts {
		delete(pr.env.HandTexts, t.ID)
	}
	if msg.broken != nil && !errors.Is(msg.broken, context.Canceled) {
		return tea.Batch(ui.Say(ui.ChangedMsg{}), ui.Say(ui.ErrorMsg{Err: msg.broken}))
	}
	return ui.Say(ui.ChangedMsg{})
}

// check compares the plan with the file after another process wrote to it.
func (pr *proposal) check() tea.Cmd {
	if !pr.applicable() || pr.generatingNow() || pr.env.Jobs.Running(pr.owner, "apply") {
		return nil
	}
	db, p := pr.env.DB, pr.plan
	return pr.env.Jobs.Quiet(pr.owner, "check", views.Read(func(ctx context.Context) (checkedMsg, error) {
		return checkedMsg{ops.Check(ctx, db, p)}, nil
	}))
}

// markStale says at once that a plan can't be written any more, not only when it's applied.
func (pr *proposal) markStale(msg checkedMsg) {
	var s *data.StaleError
	if pr.state == proposed && !pr.env.Jobs.Running(pr.owner, "apply") && errors.As(msg.err, &s) {
		pr.state, pr.err = stale, msg.err
	}
}

func (pr *proposal) showFailure(err error) tea.Cmd {
	var s *data.StaleError
	if pr.err = err; errors.As(err, &s) && pr.state == proposed {
		pr.state = stale
		return nil
	}
	var ended *outcome.Error
	if errors.Is(err, context.Canceled) && errors.As(err, &ended) {
		return ui.Say(ui.StatusMsg{Text: ui.Line(ended.Error()), Kind: ui.Warn})
	}
	return ui.Say(ui.ErrorMsg{Err: err})
}
