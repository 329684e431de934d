package views

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// question is asked before a model is called: what it's for, what it takes, and what yes
// does.
type question struct {
	what, takes string
	yes         func() tea.Cmd
}

// proposedMsg is what another plan would take, found out without a call.
type proposedMsg struct {
	op       ops.Op
	what     string
	estimate ops.Plan
}

var (
	keyYes = ui.Act("y", "y", "yes, ask the model")
	keyNo  = ui.Act("esc", "esc", "no")
)

// questionActions are the keys while a question is open.
func (r *Review) questionActions() []ui.Action {
	if r.question == nil {
		return nil
	}
	return []ui.Action{keyYes.In(ui.Typing).InFooter(), keyNo.In(ui.Typing).InFooter()}
}

// answer takes the answer to the open question: y, and nothing else, is yes.
func (r *Review) answer(msg tea.KeyPressMsg) tea.Cmd {
	q := r.question
	r.question = nil
	if msg.String() == "y" {
		return q.yes()
	}
	return ui.Say(ui.StatusMsg{Text: "no model was called"})
}

// run makes the plan that was estimated, after a question where that takes calls; esc
// cancels it. Meanwhile the page of texts tells how far each one is.
func (r *Review) run() tea.Cmd {
	next := r.op.(ops.Generator).Generating()
	return r.confirm("make the texts", r.plan, func() tea.Cmd {
		if _, ok := r.op.(itemized); ok {
			r.page = pageText
		}
		r.running = next
		return r.replan(next)
	})
}

// confirm does what calls a model after a yes, with what it takes in the question. What
// calls nobody, or one that costs nothing, is done at once.
func (r *Review) confirm(what string, estimate ops.Plan, do func() tea.Cmd) tea.Cmd {
	i := estimate.Impact
	if !estimate.Estimate() && !estimate.More || i.ModelCalls == 0 || estimate.Price == "nothing" {
		return do()
	}
	who := estimate.Model
	if who == "" {
		who = "the model"
	}
	r.question = &question{
		what: what + "?",
		takes: fmt.Sprintf("about %s of %s · cost: %s · %s in, %s out", ui.Count(int64(i.ModelCalls), "call", "calls"),
			ui.Line(who), estimate.Price, ui.Tokens(i.InputTokens), ui.Tokens(i.OutputTokens)),
		yes: do,
	}
	return nil
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
	return r.propose("another text for "+ui.Line(e.id)+" and what is made of it", r.op.(ops.Chooser).Again(e.id))
}

// planAgain plans the operation anew.
func (r *Review) planAgain() tea.Cmd { return r.propose("plan again", r.op) }

// whyNotDecidable says why the selected text can't be judged, or is empty.
func (r *Review) whyNotDecidable() string {
	_, chooser := r.op.(ops.Chooser)
	_, there := r.current()
	switch {
	case !chooser || r.page != pageText || !there || r.state != proposed || r.plan.Estimate():
		return "there is no text to judge"
	case r.generatingNow():
		return "texts are being made"
	}
	return ""
}

// whyNotEditable says why the selected text can't be changed by hand, or is empty.
func (r *Review) whyNotEditable() string {
	if why := first(r.whyNotDecidable(), r.env.uneditable()); why != "" {
		return why
	}
	if e, _ := r.current(); e.text == nil {
		return "it has no new text"
	}
	return ""
}

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

// reestimate finds out what is still to be asked: what is kept now is no call any more.
func (r *Review) reestimate() tea.Cmd {
	e, ok := r.op.(ops.Estimator)
	if !ok || r.generating || !r.plan.Estimate() {
		return nil
	}
	db, op := r.env.DB, r.op
	return r.env.Jobs.Quiet(r, "estimate", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		p, err := e.Plan(ctx, db, report)
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
