package review

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// planner puts another plan in the place of a proposal's, with the calls of a model that this takes.
type planner struct {
	proposal  *proposal
	ask       func(*question) // Asks the user.
	showTexts func()          // Shows how far each text is.

	running    ops.Op         // The one that calls a model, once it was started.
	asked      bool           // A model was to be asked by the plan that is being made.
	generating bool           // The present operation calls a model when it is planned.
	model      *choose.Choice // Chosen on the screen when it was planned; nil is none.
}

type replannedMsg struct {
	op   ops.Op
	plan ops.Plan
}

// proposedMsg is what another plan would take, found out without a call.
type proposedMsg struct {
	op       ops.Op
	what     string
	estimate ops.Plan
}

// replan plans an operation in place of the present one, which stays until that has
// worked.
func (pl *planner) replan(op ops.Op) tea.Cmd {
	pl.proposal.asks = pl.generating || op == pl.running
	db := pl.proposal.env.DB
	return pl.proposal.env.Jobs.Start(pl.proposal.owner, "plan "+op.Name(), func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		p, err := plan(ctx, db, op, report)
		var ends *regenerate.StoppedError
		if errors.As(err, &ends) {
			return stoppedMsg{err, ends}, nil
		}
		return replannedMsg{op, p}, err
	})
}

// replanned takes another plan in place of the present one.
func (pl *planner) replanned(msg replannedMsg) tea.Cmd {
	pr := pl.proposal
	pr.env.Jobs.Cancel(pr.owner, "check") // It was of the plan before.
	pr.op, pr.plan, pr.state, pr.err, pr.stoppedBy = msg.op, msg.plan, proposed, nil, nil
	pr.calls += msg.plan.Spent().ModelCalls
	pl.generating = pl.generating || msg.op == pl.running
	kept := pl.asked && msg.plan.Spent().ModelCalls == 0 && len(msg.plan.Texts) > 0
	pl.asked = false
	if !kept {
		return nil
	}
	return ui.Say(ui.StatusMsg{Text: "no model was called: every answer is one that was kept from before; r asks for another one"})
}

// propose plans another operation in place of the present one. Where that may call a
// model, what it takes is found out first and asked about.
func (pl *planner) propose(what string, next ops.Op) tea.Cmd {
	e, ok := next.(ops.Estimator)
	if !ok || !pl.generating {
		return pl.replan(next)
	}
	db := pl.proposal.env.DB
	return pl.proposal.env.Jobs.Start(pl.proposal.owner, "estimate", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		p, err := e.Estimating().Plan(ctx, db, report)
		if errors.Is(err, ops.ErrNothing) {
			err = nil // So is the plan then, which says so itself.
		}
		return proposedMsg{next, what, p}, err
	})
}

// proposed goes on with a plan of which it's known what it takes.
func (pl *planner) proposed(msg proposedMsg) tea.Cmd {
	if pl.proposal.state == applied { // Meanwhile; it would be planned against what was written.
		return nil
	}
	return pl.confirm(msg.what, msg.estimate, func() tea.Cmd { return pl.replan(msg.op) })
}

// proposeAnswer plans another operation, of which a model is to give an answer that isn't kept
// from before.
func (pl *planner) proposeAnswer(what string, next ops.Op) tea.Cmd {
	pl.asked = true
	return pl.propose(what, next)
}

// planAgain plans the operation again.
func (pl *planner) planAgain() tea.Cmd { return pl.propose("plan again", pl.proposal.op) }

// run makes the plan that was estimated, after a question where that takes calls; esc
// cancels it. Meanwhile the page of texts tells how far each one is.
func (pl *planner) run() tea.Cmd {
	next := pl.proposal.op.(ops.Generator).Generating()
	return pl.confirm("make the texts", pl.proposal.plan, func() tea.Cmd {
		if _, ok := pl.proposal.op.(itemized); ok {
			pl.showTexts()
		}
		pl.running, pl.asked = next, true
		return pl.replan(next)
	})
}

// confirm does what calls a model after a yes, with what it takes in the question. What
// calls nobody, or one that costs nothing, is done at once.
func (pl *planner) confirm(what string, estimate ops.Plan, do func() tea.Cmd) tea.Cmd {
	i := estimate.Impact
	if !estimate.Estimate() && !estimate.More || i.ModelCalls == 0 || estimate.Price == "nothing" {
		return do()
	}
	who := estimate.Model
	if who == "" {
		who = "the model"
	}
	price, _, _ := strings.Cut(estimate.Price, ": ") // Why a price is unknown stands in the notes.
	pl.ask(&question{
		what: what + "?",
		takes: fmt.Sprintf("about %s of %s · cost: %s · %s in, %s out", plural.Count(i.ModelCalls, "call", "calls"),
			ui.Line(who), price, ui.Tokens(i.InputTokens), ui.Tokens(i.OutputTokens)),
		yes: do, yesIs: "ask the model", no: "no model was called",
	})
	return nil
}

// stoppedMsg is a run that gave no plan, and how it ended.
type stoppedMsg struct {
	err  error
	ends *regenerate.StoppedError
}

// stopped takes note of it: what was asked until then is counted, and nothing asks again
// by itself.
func (pl *planner) stopped(msg stoppedMsg) tea.Cmd {
	pl.proposal.stoppedBy = msg.ends
	pl.proposal.calls += msg.ends.Cost.Calls
	if msg.ends.Cancelled() {
		return pl.reestimate()
	}
	return tea.Batch(ui.Say(ui.ErrorMsg{Err: msg.err}), pl.reestimate())
}

// runFailed counts the calls of a run that gave no plan; ok is false where the job was none.
func (pl *planner) runFailed(msg ui.FailedMsg) (ok bool) {
	if pl.proposal.op == nil || msg.Name != "plan "+pl.proposal.op.Name() {
		return false
	}
	if pl.asked {
		pl.proposal.calls += pl.proposal.items.Cost().Calls
	}
	pl.asked = false
	return true
}

// reestimate finds out what is still to be asked: what is kept now is no call any more.
func (pl *planner) reestimate() tea.Cmd {
	e, ok := pl.proposal.op.(ops.Estimator)
	if !ok || pl.generating || !pl.proposal.plan.Estimate() {
		return nil
	}
	db, op := pl.proposal.env.DB, pl.proposal.op
	return pl.proposal.env.Jobs.Quiet(pl.proposal.owner, "estimate", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		p, err := plan(ctx, db, e, report)
		return estimatedMsg{op, p}, err
	})
}

// estimatedMsg is an estimate as it is after a run that gave no plan.
type estimatedMsg struct {
	op   ops.Op
	plan ops.Plan
}

// estimated takes what is still to be asked in place of the present estimate; ok is false where
// something else was planned since.
func (pl *planner) estimated(msg estimatedMsg) (ok bool) {
	ok = pl.proposal.op == msg.op && pl.proposal.plan.Estimate()
	if ok {
		pl.proposal.plan = msg.plan
	}
	return ok
}
