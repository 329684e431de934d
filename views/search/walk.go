package search

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/search"
	"lcm-tui/ui"
	"lcm-tui/ui/shell"
	"lcm-tui/views"
)

var (
	keyNextHit = ui.Act("n", "n", "next hit").In("Find")
	keyPrevHit = ui.Act("N", "N", "previous hit").In("Find")
)

// globalActions returns the keys of every screen: the search over the whole file, and where one is
// below the present screen the walk along its hits.
func globalActions(e *views.Env, stack []ui.Screen) []shell.GlobalAction {
	find := views.KeyFind
	find.Footer = len(stack) == 1
	ask := func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: e.Screens.Ask(e, originOf(stack))}) }
	out := []shell.GlobalAction{{Action: find, Run: func() tea.Cmd { return openSearch(e, stack) }}, {Action: views.KeyAsk, Run: ask}}
	v, ok := searchBelow(stack)
	if !ok || v.List.Len() == 0 {
		return out
	}
	next := ui.Act("n", "n/N", "hit "+v.hits.place(v.List.Index())).Named(keyNextHit.ID()).In("Find").InFooter().AsKeyOnly()
	return append(out,
		shell.GlobalAction{Action: next, First: true, Run: func() tea.Cmd { return v.walk(1) }},
		shell.GlobalAction{Action: ui.Act("esc", "esc", "the hits").Named("back").WithEach().In("Find").InFooter().AsKeyOnly(), First: true},
		shell.GlobalAction{Action: keyPrevHit, Run: func() tea.Cmd { return v.walk(-1) }},
	)
}

// searchBelow returns the search from which the top screen was opened.
func searchBelow(stack []ui.Screen) (*Search, bool) {
	if len(stack) < 2 {
		return nil, false
	}
	v, ok := stack[len(stack)-2].(*Search)
	return v, ok
}

func containsScreen(stack []ui.Screen, s ui.Screen) bool { return slices.Contains(stack, s) }

// walk goes to the next hit, or to the one before it, and shows it.
func (v *Search) walk(by int) tea.Cmd {
	at := v.List.Index()
	v.List.Move(by)
	if v.List.Index() == at {
		end := "this is the last hit"
		if by < 0 {
			end = "this is the first hit"
		}
		return ui.Say(ui.StatusMsg{Text: end})
	}
	return v.visit()
}

// visitHitMsg brings the conversation of a hit.
type visitHitMsg struct {
	hit search.Hit
	hub *views.Conversation
}

// visit goes to what the cursor's hit is in. The search stays below.
func (v *Search) visit() tea.Cmd {
	r, ok := v.List.Selected()
	if !ok {
		return nil
	}
	v.prompt.Close() // The list has the keys when the user comes back.
	hit, env := *r.Hit, v.env
	if v.opened != nil && v.opened.Row.ID == hit.Conversation {
		return tea.Batch(v.remember(), v.arrive(visitHitMsg{hit, v.opened}))
	}
	return tea.Batch(v.remember(), env.Jobs.Open(v, "open", views.Read(func(ctx context.Context) (visitHitMsg, error) {
		hub, err := env.Open(ctx, hit.Conversation)
		return visitHitMsg{hit, hub}, err
	})))
}

// arrive shows a hit in the tab where it is seen, in place of the hit before it.
func (v *Search) arrive(m visitHitMsg) tea.Cmd {
	v.opened = m.hub
	m.hub.Marks = v.query.Highlight
	to := targetOfHit(m.hit)
	then := m.hub.GoTo(to)
	return tea.Batch(ui.Say(ui.BackToMsg{Screen: v, Next: m.hub.Tab(to.Tab)}), then)
}

// targetOfHit returns where a hit is seen.
func targetOfHit(h search.Hit) views.Target {
	switch h.Kind {
	case search.SummaryKind:
		return views.Target{Tab: views.TabSummaries, ID: h.Summary, Marked: true}
	case search.FileKind:
		return views.Target{Tab: views.TabFiles, ID: h.File, Marked: true, Snippet: h.Snippet}
	case search.FocusKind:
		return views.Target{Tab: views.TabFocus, ID: h.Focus, Marked: true}
	}
	return views.Target{Tab: views.TabMessages, ID: views.Itoa(h.Message), Seq: &h.Seq, Marked: true}
}
