package review

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/repair"
	"lcm-tui/ops/rewrite"
	"lcm-tui/views"
)

// withModel returns the estimate of an operation whose texts another model writes; ok is false
// for an operation that asks no model.
func withModel(op ops.Op, m views.Summarizer) (next ops.Op, ok bool) {
	switch o := op.(type) {
	case *rewrite.Op:
		n, items := *o, o.Items
		n.Options = m.Making()
		n.Items = items
		return &n, true
	case *repair.Op:
		n, items := *o, o.Regenerate.Items
		n.Regenerate = m.Making()
		n.Regenerate.Items = items
		return &n, true
	case *compact.Op:
		n := *o
		n.Model, n.Generate = m.Model, false
		return &n, true
	}
	return op, false
}

// modelOf returns the model that writes the texts of an operation; nil is none.
func modelOf(op ops.Op) summarize.Model {
	switch o := op.(type) {
	case *rewrite.Op:
		return o.Model
	case *repair.Op:
		return o.Regenerate.Model
	case *compact.Op:
		return o.Model
	}
	return nil
}

// planUndecided turns the answer that nothing can be repaired into a plan that lists the
// findings, where a model or a choice of the user changes that. Any other answer stays.
func planUndecided(op ops.Op, p ops.Plan, err error) (ops.Plan, error) {
	var none *repair.NothingError
	if !errors.As(err, &none) || none.Failed != nil || !slices.ContainsFunc(none.Items, isDecidable) {
		return p, err
	}
	p = ops.New(op.Name(), fmt.Sprintf("repair %s: nothing is repaired yet", none.Where))
	p.Items = none.Items
	for _, l := range none.Left {
		p.Warn("not repaired: " + l)
	}
	return p, nil
}

// isDecidable reports whether the user can change what becomes of an item.
func isDecidable(i ops.Item) bool {
	return i.State == ops.NeedsModel || i.State == ops.Skipped || i.State == ops.Open && len(i.Choices) > 0
}

// plan plans an operation, and lists its findings where nothing of them can be repaired yet.
func plan(ctx context.Context, db *data.DB, op ops.Op, report data.Report) (ops.Plan, error) {
	p, err := op.Plan(ctx, db, report)
	if err == nil {
		err = ops.NotePending(ctx, db, &p)
	}
	return planUndecided(op, p, err)
}

// useChosenModel plans again once another model was chosen: what the present one wrote and
// nobody applied goes only after a yes.
func (pl *planner) useChosenModel() tea.Cmd {
	now := pl.proposal.env.ModelState.Chosen.Load()
	if now == pl.model || pl.proposal.isWritten() || pl.proposal.generatingNow() {
		return nil
	}
	pl.model = now
	if pl.proposal.unsaved() == "" {
		return pl.planWithModel()
	}
	pl.ask(&question{
		what: "plan it again with the other model?", takes: "the texts that are shown here go; the answers of the model before are cached",
		yes: pl.planWithModel, yesIs: "plan again", no: "the texts stay; ctrl+r plans again",
	})
	return nil
}

// planWithModel plans the operation again with the model in force, as an estimate.
func (pl *planner) planWithModel() tea.Cmd {
	env, op := pl.proposal.env, pl.proposal.op
	pl.generating, pl.running = false, nil
	if pl.proposal.plan.Refused != nil {
		pl.proposal.calls = 0 // They were of the built-in summarizer, whose texts nobody may write.
	}
	return env.Jobs.Start(pl.proposal.owner, "plan "+op.Name(), func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		m, err := env.FindSummarizer(ctx)
		if err != nil {
			return nil, err
		}
		next, ok := withModel(op, m)
		if !ok {
			return nil, nil
		}
		p, err := plan(ctx, env.DB, next, report)
		return replannedMsg{next, p}, err
	})
}
