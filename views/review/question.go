package review

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/plural"
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

// actions returns the keys while the question is open; there may be none.
func (q *question) actions() []ui.Action {
	if q == nil {
		return nil
	}
	return []ui.Action{ui.Act("y", "y", "yes, "+q.yesIs).In(ui.Typing).InFooter(), keyNo.In(ui.Typing).InFooter()}
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

// askToApply applies the plan, after a question where some of its texts weren't made.
func (r *Review) askToApply() tea.Cmd {
	entries := r.proposal.entries()
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
		return r.proposal.apply()
	}
	rest := len(entries) - ready
	r.question = &question{
		what:  fmt.Sprintf("apply %d of %s?", ready, plural.Count(len(entries), "text", "texts")),
		takes: fmt.Sprintf("%s: %s", plural.Count(rest, "summary keeps its old text", "summaries keep their old texts"), textCounts(entries)),
		yes:   r.proposal.apply, yesIs: "apply them", no: "nothing was applied",
	}
	return nil
}
