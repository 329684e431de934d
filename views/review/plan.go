package review

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// proposedMsg is what another plan would take, found out without a call.
type proposedMsg struct {
	op       ops.Op
	what     string
	estimate ops.Plan
}

// replan plans an operation in place of the present one, which stays until that has
// worked.
func (r *Review) replan(op ops.Op) tea.Cmd {
	db := r.env.DB
	return r.env.Jobs.Start(r, "plan "+op.Name(), func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		p, err := plan(ctx, db, op, report)
		var ends *regenerate.StoppedError
		if errors.As(err, &ends) {
			return stoppedMsg{err, ends}, nil
		}
		return replannedMsg{op, p}, err
	})
}

// replanned shows another plan, on the page where the last one was, unless that was
// an estimate of this one.
func (r *Review) replanned(msg replannedMsg) tea.Cmd {
	if r.plan.Estimate() {
		r.page = firstPage(msg.plan)
	}
	r.env.Jobs.Cancel(r, "check") // It was of the plan before.
	r.op, r.plan, r.state, r.err, r.stoppedBy = msg.op, msg.plan, proposed, nil, nil
	r.setFindings(msg.plan.Items)
	r.page = min(r.page, r.pageCount()-1)
	r.calls += msg.plan.Spent().ModelCalls
	r.generating = r.generating || msg.op == r.running
	kept := r.asked && msg.plan.Spent().ModelCalls == 0 && len(msg.plan.Texts) > 0
	r.asked = false
	r.drawn, r.change, r.sources = [reviewPages]int{}, -1, map[string]string{}
	if !kept {
		return r.readPlaces()
	}
	return tea.Batch(r.readPlaces(), ui.Say(ui.StatusMsg{Text: "no model was called: every answer is one that was kept from before; r asks for another one"}))
}

// propose plans another operation in place of the present one. Where that may call a
// model, what it takes is found out first and asked about.
func (r *Review) propose(what string, next ops.Op) tea.Cmd {
	e, ok := next.(ops.Estimator)
	if !ok || !r.generating {
		return r.replan(next)
	}
	db := r.env.DB
	return r.env.Jobs.Start(r, "estimate", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		p, err := e.Estimating().Plan(ctx, db, report)
		if errors.Is(err, ops.ErrNothing) {
			err = nil // So is the plan then, which says so itself.
		}
		return proposedMsg{next, what, p}, err
	})
}

// proposed goes on with a plan of which it's known what it takes.
func (r *Review) proposed(msg proposedMsg) tea.Cmd {
	if r.state == applied { // Meanwhile; it would be planned against what was written.
		return nil
	}
	return r.confirm(msg.what, msg.estimate, func() tea.Cmd { return r.replan(msg.op) })
}

// skip leaves the selected text as it is, or has one made nevertheless that was left.
func (r *Review) skip() tea.Cmd {
	e, _ := r.current()
	c := r.op.(ops.Chooser)
	if e.state == regenerate.StateSkipped {
		return r.propose("make "+ui.Line(e.id)+" and what is made of it", c.Back(e.id))
	}
	return r.propose("skip "+ui.Line(e.id)+" and rewrite what is made of it", c.Without(e.id))
}

// nextCandidate asks for another text in place of the selected one.
func (r *Review) nextCandidate() tea.Cmd {
	e, _ := r.current()
	r.asked = true
	return r.propose("another text for "+ui.Line(e.id)+" and what is made of it", r.op.(ops.Chooser).Again(e.id))
}

// planAgain plans the operation again.
func (r *Review) planAgain() tea.Cmd { return r.propose("plan again", r.op) }

// stoppedMsg is a run that gave no plan, and how it ended.
type stoppedMsg struct {
	err  error
	ends *regenerate.StoppedError
}

// stopped takes note of it: what was asked until then is counted, and nothing asks again
// by itself.
func (r *Review) stopped(msg stoppedMsg) tea.Cmd {
	r.stoppedBy, r.drawn[pageText] = msg.ends, 0
	r.calls += msg.ends.Cost.Calls
	if msg.ends.Cancelled() {
		return r.reestimate()
	}
	return tea.Batch(ui.Say(ui.ErrorMsg{Err: msg.err}), r.reestimate())
}

// runFailed counts the calls of a run that gave no plan, and shows which texts failed.
func (r *Review) runFailed(msg ui.FailedMsg) {
	if r.op == nil || msg.Name != "plan "+r.op.Name() {
		return
	}
	if r.asked {
		r.calls += r.items.Cost().Calls
	}
	r.asked, r.drawn[pageText] = false, 0
}

// reestimate finds out what is still to be asked: what is kept now is no call any more.
func (r *Review) reestimate() tea.Cmd {
	e, ok := r.op.(ops.Estimator)
	if !ok || r.generating || !r.plan.Estimate() {
		return nil
	}
	db, op := r.env.DB, r.op
	return r.env.Jobs.Quiet(r, "estimate", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		p, err := plan(ctx, db, e, report)
		return estimatedMsg{op, p}, err
	})
}

// estimatedMsg is an estimate as it is after a run that gave no plan.
type estimatedMsg struct {
	op   ops.Op
	plan ops.Plan
}

// estimated shows what is still to be asked, if nothing else was planned since.
func (r *Review) estimated(msg estimatedMsg) {
	if r.op == msg.op && r.plan.Estimate() {
		r.plan, r.drawn = msg.plan, [reviewPages]int{}
		r.setFindings(msg.plan.Items)
	}
}

// stoppedLine says how a run ended that gave no plan.
func (r *Review) stoppedLine() string {
	how := "~ stopped: "
	if r.stoppedBy.Cancelled() {
		how = "~ cancelled: "
	}
	return r.env.Styles.Warn.Render(how+r.stoppedBy.Outcome()) + r.env.Styles.Muted.Render(" · nothing is written · x goes on")
}
