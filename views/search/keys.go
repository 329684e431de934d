package search

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/search"
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
	keyMoveTyping  = ui.Act("up down pgup pgdown", "↑↓", "move")
	keyPreviewMove = ui.Act("alt+pgup alt+pgdown", "alt+pgup/pgdn", "scroll the text")
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
	out := []views.Action{
		{Action: keyGoToHit.In("Look").Off(some, none), Run: v.visit},
		{Action: keyNextHit.Off(some, none), Run: func() tea.Cmd { v.List.Move(1); return nil }},
		{Action: keyPrevHit.Off(some, none), Run: func() tea.Cmd { v.List.Move(-1); return nil }},
		{Action: keyEditQuery.In("Find"), Run: v.focusInput},
		{Action: v.orderAction().In("Find").Off(!v.query.IsEmpty(), "nothing is searched"), Run: v.nextSort},
		{Action: keyExclude.In("Find").InFooter().Off(some, none), Run: v.exclude},
		{Action: views.KeyCopyText.In("Look").Off(some, none), Run: v.copyText},
	}
	for _, a := range v.sharedActions() {
		out = append(out, views.Action{Action: a.In("Find"), Run: a.Run})
	}
	return out
}

// orderAction names the order that comes next.
func (v *Search) orderAction() ui.Action {
	a := keyOrder
	a.Key.SetHelp("o", "order: "+sortText(v.nextOrder()))
	return a
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
		{Action: keyOnlyHere.Off(v.origin != 0, "the search was not opened from a conversation"), Run: v.toggleOnlyHere},
		{Action: keyOlderQuery.Off(v.history.at > 0, "there is no earlier query"), Run: func() tea.Cmd { return v.recall(v.history.older(v.input.Value())) }},
		{Action: keyNewerQuery.Off(v.history.at < len(v.history.queries), "this is the latest query"), Run: func() tea.Cmd { return v.recall(v.history.newer()) }},
		{Action: keySaveHits.Off(v.List.Len() > 0, "there are no hits"), Run: v.askSave},
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
	case v.input.Value() != "":
		leave = "clear"
	}
	out := []ui.Action{
		keyGoToHit.Off(some, none), keyMoveTyping.InFooter().Off(some, none), keyToList.InFooter().Off(some, none),
		ui.Act("esc", "esc", leave).InFooter(),
	}
	for _, a := range v.sharedActions() {
		out = append(out, a.InFooter())
	}
	return append(out, keyClearQuery.Off(v.input.Value() != "", "the query is empty"), keyPreviewMove.Off(some, none))
}

// typedKey takes a key while the query takes text.
func (v *Search) typedKey(m tea.KeyPressMsg) tea.Cmd {
	if v.listsOffers() && slices.Contains([]string{"up", "down", "enter", "alt+1", "alt+2", "alt+3", "alt+4", "alt+5", "alt+6", "alt+7", "alt+8", "alt+9"}, m.String()) {
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
		return v.visit()
	case "esc":
		return v.leaveInput()
	case "tab":
		if v.List.Len() > 0 {
			v.input.Close()
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
	before := v.input.Value()
	if v.replaces && startsAnother(msg) {
		v.input.Open("")
	}
	v.replaces = false
	if v.input.Update(msg); v.input.Value() == before {
		return nil
	}
	return v.edited()
}

// startsAnother reports whether a key or a paste replaces the query of the last time, as it
// would replace a selected text.
func startsAnother(msg tea.Msg) bool {
	m, ok := msg.(tea.KeyPressMsg)
	return !ok || m.Text != "" || m.String() == "backspace"
}

// leaveInput runs esc while the query takes text: it stops the search that runs, or clears the
// query, or leaves.
func (v *Search) leaveInput() tea.Cmd {
	switch {
	case v.stop():
		return nil
	case v.input.Value() != "":
		return v.clearQuery()
	}
	return ui.Say(ui.PopMsg{Screen: v})
}

// clearQuery empties the query. The history keeps it.
func (v *Search) clearQuery() tea.Cmd {
	remember := v.remember()
	v.input.Open("")
	return tea.Batch(remember, v.edited())
}

// focusInput gives the keys to the query.
func (v *Search) focusInput() tea.Cmd {
	v.Focus(false)
	v.input.Open(v.input.Value())
	return nil
}

func (v *Search) nextOrder() search.Sort {
	at := slices.Index(search.Sorts, v.mode.sort)
	return search.Sorts[(at+1)%len(search.Sorts)]
}

// nextSort lists the hits in the next order.
func (v *Search) nextSort() tea.Cmd {
	v.mode.sort = v.nextOrder()
	return v.search()
}

// exclude searches without the conversation of the cursor's hit.
func (v *Search) exclude() tea.Cmd {
	r, ok := v.List.Selected()
	if !ok {
		return nil
	}
	return tea.Batch(v.setQuery(v.query.WithFilter("-in:"+views.Itoa(r.Conversation))), v.remember())
}

// onlyHere returns the filter that narrows the search to the conversation it was opened from.
func (v *Search) onlyHere() string { return "in:" + views.Itoa(v.origin) }

// isNarrowed reports whether the query has that filter.
func (v *Search) isNarrowed() bool {
	return slices.Contains(strings.Fields(v.input.Value()), v.onlyHere())
}

// toggleOnlyHere adds that filter, or takes it away.
func (v *Search) toggleOnlyHere() tea.Cmd {
	words := strings.Fields(v.input.Value())
	if !v.isNarrowed() {
		return v.setQuery(strings.TrimSpace(v.input.Value() + " " + v.onlyHere()))
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == v.onlyHere() })
	return v.setQuery(strings.Join(words, " "))
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
