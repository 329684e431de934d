package health

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// enter unfolds what holds more, and goes to the place of a finding.
func (v *Health) enter(a *healthRow) tea.Cmd {
	if a.finding == nil {
		return v.fold(a, !a.open)
	}
	return v.visit(a.finding)
}

// fold folds or unfolds a row; of a row that can't be folded the one above it is folded.
func (v *Health) fold(a *healthRow, open bool) tea.Cmd {
	key, now := a.key, a.open
	switch {
	case a.finding != nil:
		key, now, open = a.above, true, false
	case !open && !a.open && a.fault.ID != "":
		key, now = string(a.symptom.ID), true
	}
	if now != open {
		v.toggled[key] = !v.toggled[key]
	}
	v.set()
	v.List.Select(key)
	return nil
}

// next goes to the next row that is more than good to know.
func (v *Health) next() tea.Cmd {
	items, at := v.List.Items(), v.List.Index()
	for i := range items {
		a := items[(at+1+i)%len(items)]
		if a.fault.ID != "" && integrity.Worst(a.list).AtLeast(integrity.Warn) {
			v.List.Select(a.key)
			return nil
		}
	}
	return ui.Say(ui.StatusMsg{Text: "no damage was found, only what is good to know"})
}

// leads reports whether a finding has a place to go to.
func (v *Health) leads(a *healthRow) bool {
	_, ok := views.TargetOf(a.finding)
	return ok && a.finding.Conversation != 0 && (v.tab == nil || a.finding.Conversation == v.conv())
}

// visit shows the row of a finding: in its tab, or in its conversation where that
// isn't the one shown.
func (v *Health) visit(f *integrity.Finding) tea.Cmd {
	to, ok := views.TargetOf(f)
	if !ok {
		return nil
	}
	if v.tab != nil {
		return tea.Batch(v.tab.Hub.Show(to.Tab), v.tab.Hub.GoTo(to))
	}
	return v.env.Visit(v, f.Conversation, to)
}
