package review

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ops/prune"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// keyUncovered changes whether texts that no summary covers are forgotten.
var keyUncovered = ui.Act("w", "w", "with texts without a summary")

// uncoveredActions returns the action of w where texts are forgotten: it plans again with those that no summary covers,
// or without them.
func (r *Review) uncoveredActions(busy string) []views.Action {
	op, ok := r.proposal.op.(*prune.Op)
	if !ok || op.Verb != prune.Text {
		return nil
	}
	next := *op
	next.Uncovered = !op.Uncovered
	a := keyUncovered.Named(keyUncovered.ID())
	if op.Uncovered {
		a.Key.SetHelp("w", "only texts below a summary")
	}
	why := views.FirstNonEmpty(busy, views.TextWhen(r.proposal.isWritten(), "it is applied"))
	return []views.Action{{Action: a.In("Change").InFooter().Off(why == "", why), Run: func() tea.Cmd {
		return r.planner.propose(a.Key.Help().Desc, &next)
	}}}
}
