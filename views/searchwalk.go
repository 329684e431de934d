package views

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/search"
	"lcm-tui/ui"
)

var (
	keyFind    = ui.Act("F", "F", "find everywhere").In("Find").AsKeyOnly()
	keyNextHit = ui.Act("n", "n", "next hit").In("Find")
	keyPrevHit = ui.Act("N", "N", "previous hit").In("Find")
)

// globalActions are the keys of every screen: the search over the whole file, and where one is
// below the present screen the walk along its hits.
func (e *Env) globalActions(stack []ui.Screen) []ui.GlobalAction {
	find := keyFind
	find.Footer = len(stack) == 1
	out := []ui.GlobalAction{{Action: find, Run: func() tea.Cmd { return e.openSearch(stack) }}}
	v, ok := searchBelow(stack)
	if !ok || v.list.Len() == 0 {
		return out
	}
	next := ui.Act("n", "n/N", v.walkText()).In("Find").InFooter().AsKeyOnly()
	return append(out,
		ui.GlobalAction{Action: next, First: true, Run: func() tea.Cmd { return v.walk(1) }},
		ui.GlobalAction{Action: ui.Act("esc", "esc", "the hits").In("Find").InFooter().AsKeyOnly(), First: true},
		ui.GlobalAction{Action: keyPrevHit, Run: func() tea.Cmd { return v.walk(-1) }},
	)
}

// searchBelow is the search from which the top screen was opened.
func searchBelow(stack []ui.Screen) (*Search, bool) {
	if len(stack) < 2 {
		return nil, false
	}
	v, ok := stack[len(stack)-2].(*Search)
	return v, ok
}

func containsScreen(stack []ui.Screen, s ui.Screen) bool { return slices.Contains(stack, s) }

// walkText says which hit the cursor is on.
func (v *Search) walkText() string {
	return "hit " + ui.Num(int64(v.list.Index()+1)) + " of " + v.countText()
}

// walk goes to the next hit, or to the one before it, and shows it.
func (v *Search) walk(by int) tea.Cmd {
	at := v.list.Index()
	v.list.Move(by)
	if v.list.Index() == at {
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
	hub *Conversation
}

// visit goes to what the cursor's hit is in. The search stays below.
func (v *Search) visit() tea.Cmd {
	r, ok := v.list.Selected()
	if !ok {
		return nil
	}
	v.input.Close() // The list has the keys when the user comes back.
	hit, env := *r.Hit, v.env
	if v.opened != nil && v.opened.row.ID == hit.Conversation {
		return tea.Batch(v.remember(), v.arrive(visitHitMsg{hit, v.opened}))
	}
	return tea.Batch(v.remember(), env.Jobs.Read(v, "open", read(func(ctx context.Context) (visitHitMsg, error) {
		row, budget, err := env.conversation(ctx, hit.Conversation)
		return visitHitMsg{hit, NewConversation(env, row, budget)}, err
	})))
}

// arrive shows a hit in the tab where it is seen, in place of the hit before it.
func (v *Search) arrive(m visitHitMsg) tea.Cmd {
	v.opened = m.hub
	m.hub.marks = v.query.Highlight
	return ui.Say(ui.BackToMsg{Screen: v, Next: m.hub.pointToHit(m.hit)})
}

// pointToHit is the tab in which a hit is seen, with the cursor on it.
func (c *Conversation) pointToHit(h search.Hit) ui.Screen {
	switch h.Kind {
	case search.SummaryKind:
		s := c.Tab(tabSummaries).(*Summaries)
		s.show(h.Summary)
		s.markedRef = h.Summary
		return s
	case search.FileKind:
		f := c.Tab(tabFiles).(*Files)
		f.list.Select(h.File)
		return f
	case search.FocusKind:
		b := c.Tab(tabFocus).(*Focus)
		b.list.Select(h.Focus)
		return b
	}
	m := c.Tab(tabMessages).(*Messages)
	m.role, m.needle, m.targetSeq, m.markedRef = 0, "", &h.Seq, itoa(h.Message)
	return m
}
