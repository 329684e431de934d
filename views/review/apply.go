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
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/redo"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// apply can't be cancelled half-way: either all of it is written or nothing. What
// is written step by step goes on from the first one, and can be broken off between
// two of them.
func (r *Review) apply() tea.Cmd {
	db, p, op := r.env.DB, r.plan, r.op
	return r.env.Jobs.Start(r, "apply", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		start := time.Now()
		ctx, changed := outcome.With(ctx)
		out, err := ops.ApplyPlan(ctx, db, p, report)
		if err != nil {
			return notWrittenMsg{changed.Explain(err)}, nil
		}
		last, err := applySteps(ctx, db, op, report)
		msg := appliedMsg{record: out.Record, last: max(out.Record, last), broken: err, took: time.Since(start), notes: ops.Outcome(out)}
		if p.Undoes != 0 {
			msg.stale = madeStale(ctx, db, p.Undoes)
		}
		return msg, nil
	})
}

// applySteps writes what follows the first step of an operation, and gives the last
// record.
func applySteps(ctx context.Context, db *data.DB, op ops.Op, report data.Report) (last int64, err error) {
	s, ok := op.(ops.Stepper)
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

func (r *Review) undo() tea.Cmd {
	db, id := r.env.DB, r.record
	return r.env.Jobs.Start(r, "undo", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		ctx, changed := outcome.With(data.ReportWaits(ctx, report))
		if err := ops.Undo(ctx, db, id); err != nil {
			return notWrittenMsg{changed.Explain(err)}, nil
		}
		return undoneMsg{madeStale(ctx, db, id)}, nil
	})
}

// madeStale returns how many pending batches a record made stale, or 0 where it can't be read.
func madeStale(ctx context.Context, db *data.DB, id int64) int64 {
	all, err := change.History(ctx, db)
	if i := slices.IndexFunc(all, func(r change.Record) bool { return r.ID == id }); err == nil && i >= 0 {
		return all[i].StaleBatches
	}
	return 0
}

// redo plans to redo what was undone here, in place of the present plan.
func (r *Review) redo() tea.Cmd { return r.replan(&redo.Op{Record: r.record}) }

// showApplied shows what was applied.
func (r *Review) showApplied(msg appliedMsg) tea.Cmd {
	r.state, r.record, r.first, r.took, r.err = applied, msg.last, msg.record, msg.took, nil
	if r.plan.Undoes != 0 {
		r.state, r.keptStale = undone, msg.stale
	}
	r.plan.Notes = append(r.plan.Notes, msg.notes...)
	for _, t := range r.plan.Texts {
		delete(r.env.HandTexts, t.ID)
	}
	if msg.broken != nil && !errors.Is(msg.broken, context.Canceled) {
		return tea.Batch(ui.Say(ui.ChangedMsg{}), ui.Say(ui.ErrorMsg{Err: msg.broken}))
	}
	return ui.Say(ui.ChangedMsg{})
}

// check compares the plan with the file after another process wrote to it.
func (r *Review) check() tea.Cmd {
	if !r.applicable() || r.generatingNow() || r.env.Jobs.Running(r, "apply") {
		return nil
	}
	db, p := r.env.DB, r.plan
	return r.env.Jobs.Quiet(r, "check", views.Read(func(ctx context.Context) (checkedMsg, error) {
		return checkedMsg{ops.Check(ctx, db, p)}, nil
	}))
}

// markStale says at once that a plan can't be written any more, not only when it's applied.
func (r *Review) markStale(msg checkedMsg) {
	var s *data.StaleError
	if r.state == proposed && !r.env.Jobs.Running(r, "apply") && errors.As(msg.err, &s) {
		r.state, r.err = stale, msg.err
	}
}

func (r *Review) showFailure(err error) tea.Cmd {
	var s *data.StaleError
	if r.err = err; errors.As(err, &s) && r.state == proposed {
		r.state = stale
		return nil
	}
	var ended *outcome.Error
	if errors.Is(err, context.Canceled) && errors.As(err, &ended) {
		return ui.Say(ui.StatusMsg{Text: ui.Line(ended.Error()), Kind: ui.Warn})
	}
	return ui.Say(ui.ErrorMsg{Err: err})
}

// Unsaved implements ui.Unsaver: texts that a model was paid for and that aren't applied.
func (r *Review) Unsaved() string {
	n := int64(len(r.plan.Texts))
	if r.state != proposed || r.calls == 0 || n == 0 || r.plan.Refused != nil {
		return ""
	}
	return plural.Count(n, "text that a model wrote is not applied: the review of it ends.", "texts that a model wrote are not applied: the review of them ends.")
}
