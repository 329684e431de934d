package search

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

var (
	keyGoToHit     = ui.Act("enter", "⏎", "go there").InFooter()
	keyEditQuery   = ui.Act("/ F", "/", "edit the query").InFooter()
	keyOrder       = ui.Act("o", "o", "order").InFooter()
	keyExclude     = ui.Act("x", "x", "without this conversation")
	keyRegexp      = ui.Act("ctrl+r", "ctrl+r", "regex")
	keyMatchCase   = ui.Act("alt+c", "alt+c", "match case")
	keyWholeWord   = ui.Act("alt+w", "alt+w", "whole words")
	keyOnlyHere    = ui.Act("alt+i", "alt+i", "only this conversation")
	keyOlderQuery  = ui.Act("ctrl+p", "ctrl+p", "earlier query")
	keyNewerQuery  = ui.Act("ctrl+n", "ctrl+n", "later query")
	keySaveHits    = ui.Act("ctrl+s", "ctrl+s", "save the hits")
	keyClearQuery  = ui.Act("ctrl+u", "ctrl+u", "clear")
	keyToList      = ui.Act("tab", "tab", "to the hits")
	keyMoveTyping  = ui.Act("up down pgup pgdown", "↑↓", "move").WithEach()
	keyPreviewMove = ui.Act("alt+pgup alt+pgdown", "alt+pgup/pgdn", "scroll the text").WithEach()
)

// Actions implements ui.Screen.
func (v *Search) Actions() []ui.Action {
	if v.saveTo.Typing() {
		return []ui.Action{
			ui.Act("enter", "⏎", "save").In(ui.Typing).InFooter(),
			ui.Act("esc", "esc", "leave").In(ui.Typing).InFooter(),
		}
	}
	out := v.ListScreen.Actions()
	for _, a := range v.typingActions() {
		out = append(out, a.In(ui.Typing))
	}
	return out
}

// OwnActions returns the keys while the list or the text has the keys.
func (v *Search) OwnActions() []views.Action {
	_, some := v.List.Selected()
	const none = "there are no hits"
	unforgettable := whyNotForgotten(v.env, v.query)
	order := keyOrder
	order.Key.SetHelp("o", "order: "+sortText(v.mode.nextSort()))
	out := []views.Action{
		{Action: keyGoToHit.In("Look").Off(some, none), Run: v.visit},
		{Action: keyNextHit.Off(some, none), Run: func() tea.Cmd { v.List.Move(1); return nil }},
		{Action: keyPrevHit.Off(some, none), Run: func() tea.Cmd { v.List.Move(-1); return nil }},
		{Action: keyEditQuery.In("Find"), Run: v.focusInput},
		{Action: order.In("Find").Off(!v.query.IsEmpty(), "nothing is searched"), Run: func() tea.Cmd {
			v.mode.sort = v.mode.nextSort()
			return v.search()
		}},
		{Action: keyExclude.In("Find").InFooter().Off(some, none), Run: v.exclude},
		{Action: views.KeyCopyText.In("Look").Off(some, none), Run: v.copyText},
		{Action: keyForgetFound.In("Change").InMenu().Off(unforgettable == "", unforgettable), Run: func() tea.Cmd {
			return forgetFound(v.env, v, v.query, v.mode.options(v.env.Now()))
		}},
	}
	for _, a := range v.sharedActions() {
		out = append(out, views.Action{Action: a.In("Find"), Run: a.Run})
	}
	return out
}

// sharedActions returns the keys that work whatever has the keys: none of them is a letter.
func (v *Search) sharedActions() []views.Action {
	toggle := func(b *bool) func() tea.Cmd {
		return func() tea.Cmd { *b = !*b; return v.edited() }
	}
	return []views.Action{
		{Action: keyRegexp, Run: toggle(&v.mode.regexp)},
		{Action: keyMatchCase, Run: toggle(&v.mode.matchCase)},
		{Action: keyWholeWord, Run: toggle(&v.mode.wholeWord)},
		{Action: keyOnlyHere.Off(v.origin != 0, "the search was not opened from a conversation"), Run: func() tea.Cmd { return v.setQuery(v.prompt.toggled(onlyIn(v.origin))) }},
		{Action: keyOlderQuery.Off(v.history.at > 0, "there is no earlier query"), Run: func() tea.Cmd { return v.recall(v.history.older(v.prompt.Value())) }},
		{Action: keyNewerQuery.Off(v.history.at < len(v.history.queries), "this is the latest query"), Run: func() tea.Cmd { return v.recall(v.history.newer()) }},
		{Action: keySaveHits.Off(v.List.Len() > 0, "there are no hits"), Run: func() tea.Cmd { v.saveTo.Open(hitsFileName(v.env.Now())); return nil }},
	}
}

// typingActions returns the keys while the query takes text, in the order of the footer.
func (v *Search) typingActions() []ui.Action {
	some := v.List.Len() > 0
	const none = "there are no hits"
	leave := "leave"
	switch {
	case v.run.stream != nil:
		leave = "stop"
	case v.prompt.Value() != "":
		leave = "clear"
	}
	out := []ui.Action{
		keyGoToHit.Off(some, none), keyMoveTyping.InFooter().Off(some, none), keyToList.InFooter().Off(some, none),
		ui.Act("esc", "esc", leave).Named("leave").InFooter(),
	}
	for _, a := range v.sharedActions() {
		out = append(out, a.InFooter())
	}
	return append(out, keyClearQuery.Off(v.prompt.Value() != "", "the query is empty"), keyPreviewMove.Off(some, none))
}

// typedKey takes a key while the query takes text.
func (v *Search) typedKey(m tea.KeyPressMsg) tea.Cmd {
	v.run.visits = false // Another key was pressed since.
	if !v.run.pending && v.listsOffers() && slices.Contains([]string{"up", "down", "enter", "alt+1", "alt+2", "alt+3", "alt+4", "alt+5", "alt+6", "alt+7", "alt+8", "alt+9"}, m.String()) {
		cmd, _ := v.offerKey(m)
		return cmd
	}
	for _, a := range v.sharedActions() {
		if key.Matches(m, a.Key) {
			return a.Run()
		}
	}
	v.ScrollTo = views.ScrollTarget{}
	switch m.String() {
	case "enter":
		if v.run.waitsToVisit(v.List.Len()) {
			return nil
		}
		return v.visit()
	case "esc":
		return v.leaveInput()
	case "tab":
		if v.List.Len() > 0 {
			v.prompt.Close()
			return v.remember()
		}
	case "up", "down", "pgup", "pgdown":
		return v.List.Update(m)
	case "alt+pgup", "alt+pgdown":
		return v.Pager.Update(m)
	case "ctrl+u":
		return v.clearQuery()
	default:
		return v.edit(m)
	}
	return nil
}

// edit gives a key or a paste to the query, and searches it if that changed it.
func (v *Search) edit(msg tea.Msg) tea.Cmd {
	if !v.prompt.edit(msg) {
		return nil
	}
	return v.edited()
}

// setQuery puts a query into the prompt and searches it.
func (v *Search) setQuery(text string) tea.Cmd {
	v.prompt.set(text)
	return v.edited()
}

// leaveInput runs esc while the query takes text: it stops the search that runs, or clears the
// query, or leaves.
func (v *Search) leaveInput() tea.Cmd {
	switch {
	case v.stop():
		return nil
	case v.prompt.Value() != "":
		return v.clearQuery()
	}
	return ui.Say(ui.PopMsg{Screen: v})
}

// clearQuery empties the query. The history keeps it.
func (v *Search) clearQuery() tea.Cmd {
	remember := v.remember()
	v.prompt.Open("")
	return tea.Batch(remember, v.edited())
}

// focusInput gives the keys to the query.
func (v *Search) focusInput() tea.Cmd {
	v.Focus(false)
	v.prompt.Open(v.prompt.Value())
	return nil
}

// onlyIn returns the filter that narrows a search to a conversation.
func onlyIn(conversation int64) string { return "in:" + views.Itoa(conversation) }

// exclude searches without the conversation of the cursor's hit.
func (v *Search) exclude() tea.Cmd {
	r, ok := v.List.Selected()
	if !ok {
		return nil
	}
	return tea.Batch(v.setQuery(v.query.WithFilter("-"+onlyIn(r.Conversation))), v.remember())
}

// copyText copies the whole text of the cursor's hit.
func (v *Search) copyText() tea.Cmd {
	r, ok := v.List.Selected()
	if !ok {
		return nil
	}
	place := v.Details[r.ref].Detail
	if place == nil {
		return ui.Say(ui.StatusMsg{Text: "the text is being read: try again"})
	}
	return views.CopyToClipboard(place.Text, "the text of "+r.place()+", "+plural.Count(len(place.Text), "byte", "bytes"))
}
