package review

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// question is asked before a model is called, or before a part of the texts is applied.
type question struct {
	what  string         // Ends with a question mark.
	takes string         // What yes costs or leaves, in one line.
	yes   func() tea.Cmd // Runs after y.
	yesIs string         // What y does, for the footer.
	no    string         // What is said after any other key.
}

var keyNo = ui.Act("esc", "esc", "no")

// questionActions returns the keys while a question is open.
func (r *Review) questionActions() []ui.Action {
	if r.question == nil {
		return nil
	}
	return []ui.Action{ui.Act("y", "y", "yes, "+r.question.yesIs).In(ui.Typing).InFooter(), keyNo.In(ui.Typing).InFooter()}
}

// answer takes the answer to the open question: y, and nothing else, is yes.
func (r *Review) answer(msg tea.KeyPressMsg) tea.Cmd {
	q := r.question
	r.question = nil
	if msg.String() == "y" {
		return q.yes()
	}
	return ui.Say(ui.StatusMsg{Text: q.no})
}

// run makes the plan that was estimated, after a question where that takes calls; esc
// cancels it. Meanwhile the page of texts tells how far each one is.
func (r *Review) run() tea.Cmd {
	next := r.op.(ops.Generator).Generating()
	return r.confirm("make the texts", r.plan, func() tea.Cmd {
		if _, ok := r.op.(itemized); ok {
			r.page = pageText
		}
		r.running, r.asked = next, true
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
		takes: fmt.Sprintf("about %s of %s · cost: %s · %s in, %s out", plural.Count(i.ModelCalls, "call", "calls"),
			ui.Line(who), estimate.Price, ui.Tokens(i.InputTokens), ui.Tokens(i.OutputTokens)),
		yes: do, yesIs: "ask the model", no: "no model was called",
	}
	return nil
}

// askToApply applies the plan, after a question where some of its texts weren't made.
func (r *Review) askToApply() tea.Cmd {
	entries := r.entries()
	ready, missing := 0, 0
	for _, e := range entries {
		switch {
		case e.text != nil:
			ready++
		case e.state == regenerate.StateFailed, e.state == regenerate.StateCancelled, e.state == regenerate.StateNotAsked:
			missing++
		}
	}
	if missing == 0 {
		return r.apply()
	}
	rest := len(entries) - ready
	r.question = &question{
		what:  fmt.Sprintf("apply %d of %s?", ready, plural.Count(len(entries), "text", "texts")),
		takes: fmt.Sprintf("%s: %s", plural.Count(rest, "summary keeps its old text", "summaries keep their old texts"), textCounts(entries)),
		yes:   r.apply, yesIs: "apply them", no: "nothing was applied",
	}
	return nil
}

// failed returns how many texts the last run could not make.
func (r *Review) failed() (n int) {
	for _, e := range r.entries() {
		if e.text == nil && e.state == regenerate.StateFailed {
			n++
		}
	}
	return n
}
