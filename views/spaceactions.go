package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

var keySpace = ui.Act("z", "z", "space: what fills the file")

// spaceKeys are the screen's own keys.
var spaceKeys = struct{ Open, Visit, Next, Again ui.Action }{
	Open:  ui.Act("enter", "⏎", "open"),
	Visit: ui.Act("g", "g", "go to the conversation"),
	Next:  ui.Act("tab", "tab", "next grouping"),
	Again: ui.Act("m", "m", "measure again"),
}

// spaceTabKeys show a tab.
var spaceTabKeys = func() (out []ui.Action) {
	for i, t := range spaceTabs {
		n := itoa(int64(i + 1))
		out = append(out, ui.Act(n, n, t.name).In("Tabs").AsKeyOnly())
	}
	return out
}()

// Actions implements ui.Screen.
func (v *Space) Actions() (out []ui.Action) {
	for _, a := range v.actions() {
		out = append(out, a.Action)
	}
	out = append(out, spaceTabKeys...)
	return append(out, v.list.Actions()...)
}

func (v *Space) actions() []action {
	r, some := v.list.Selected()
	if !some {
		r = &spaceRow{}
	}
	const none = "nothing is listed"
	k := spaceKeys
	level, opens := v.levelOf(r)
	conversation := r.conversation()
	return []action{
		{k.Open.In("Look").InFooter().Off(opens || r.message != nil, firstNonEmpty(textWhen(!some, none), "there is nothing smaller in it")), func() tea.Cmd {
			if r.message != nil {
				return v.visit(r)
			}
			return v.openLevel(level)
		}},
		{k.Visit.In("Look").InFooter().Off(conversation != 0, firstNonEmpty(textWhen(!some, none), "the row is of no single conversation")), func() tea.Cmd { return v.visit(r) }},
		{k.Next.In("Look").InFooter().AsKeyOnly(), func() tea.Cmd { return v.showTab((v.tab + 1) % len(spaceTabs)) }},
		{k.Again.In("Look").InFooter().Off(v.running == nil, "it is being measured: esc ends that"), v.measure},
	}
}

// conversation is the conversation of a row, or 0.
func (r *spaceRow) conversation() int64 {
	switch {
	case r.message != nil:
		return r.message.Conversation
	case r.group != nil:
		return r.group.Conversation
	}
	return 0
}

// visit shows the conversation of a row; of a message its place in it.
func (v *Space) visit(r *spaceRow) tea.Cmd {
	row := ""
	if r.message != nil {
		row = itoa(r.message.ID)
	}
	return v.env.visitRow(v, r.conversation(), tabMessages, row, "")
}
