package health

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// previewMsg is what the plan of a scope would do.
type previewMsg struct {
	id      string
	preview repair.Preview
}

// preview plans the first scope of which that isn't known yet, beside the screen, so that the list says what the
// plan will. Those after it follow.
func (v *RepairScope) preview() tea.Cmd {
	if !v.checked {
		return nil
	}
	for _, r := range v.List.Items() {
		if r.choice != nil || r.unknown || r.preview != nil || len(r.findings) == 0 {
			continue
		}
		id, request, found, env := r.id, r.request, v.found, v.env
		return env.Jobs.Quiet(v, "preview", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
			prepare(ctx, env, &request)
			p, err := request.Preview(ctx, env.DB, found)
			return previewMsg{id, p}, err
		})
	}
	return nil
}

// takePreview notes what the plan of a scope would do.
func (v *RepairScope) takePreview(m previewMsg) tea.Cmd {
	v.previews[m.id] = &m.preview
	v.set()
	return v.preview()
}

// isDecided reports whether the plan of a scope does something about a finding without asking.
func (v *RepairScope) isDecided(f *integrity.Finding) bool {
	for _, p := range v.previews {
		for _, i := range p.Items {
			if i.ID == repair.ID(*f) && i.State != ops.Open {
				return true
			}
		}
	}
	return false
}

// repairable counts the findings of a scope that its plan repairs or would repair with a model, and those that wait for
// a choice of the user.
func repairable(p *repair.Preview) (can, undecided int) {
	for _, i := range p.Items {
		switch {
		case i.State == ops.Included || i.State == ops.Estimated || i.State == ops.NeedsModel:
			can++
		case i.Undecided():
			undecided++
		}
	}
	return can, undecided
}

// whyNothing says why the plan of a scope does nothing, or is empty.
func whyNothing(p *repair.Preview) string {
	can, undecided := repairable(p)
	switch {
	case can > 0:
		return ""
	case undecided > 0:
		return "every finding of it needs your choice: R on one of them in health asks what to do"
	case len(p.Items) == 0:
		return "nothing in it has to be repaired; R on a finding in health repairs it all the same"
	}
	return "it can't be repaired: " + ui.Line(p.Items[0].Reason)
}

// previewWords says in a line what the plan of a scope would do.
func previewWords(s *ui.Styles, p *repair.Preview) string {
	if len(p.Items) == 0 {
		return s.Good.Render("✓") + s.Muted.Render(" nothing has to be repaired")
	}
	words := views.FindingWords(p.Items)
	if p.ModelCalls > 0 {
		words += " · " + plural.Count(p.ModelCalls, "call", "calls")
	}
	return words
}

// textsByModel returns how many findings of a scope need a text of a model: as its plan says, else by their faults.
func textsByModel(r *repairScopeRow) (n int) {
	if r.preview == nil {
		return repairCounts(r.findings).byModel
	}
	for _, i := range r.preview.Items {
		if i.State == ops.NeedsModel || i.State == ops.Estimated {
			n++
		}
	}
	return n
}

// calls returns how many calls of a model the plan of a scope would take, as far as it is known.
func calls(p *repair.Preview) int {
	if p == nil {
		return 0
	}
	return p.ModelCalls
}
