package conversation

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
	"lcm-tui/views"
)

// readingKeys are the keys of the reading view beside those that move the text.
var readingKeys = struct{ Back, Next, Prev, Unfold, Search, NextMatch, PrevMatch, Text ui.Action }{
	Back:      ui.Act("enter", "⏎", "this message in the list"),
	Next:      ui.Act("right l", "", ""),
	Prev:      ui.Act("left h", "←→", "previous, next message"),
	Unfold:    ui.Act("t", "t", "unfold tools"),
	Search:    keySearch,
	NextMatch: keyNextMatch,
	PrevMatch: keyPrevMatch,
	Text:      views.KeyCopyText,
}

// Actions implements ui.Screen.
func (v *Reading) Actions() (out []ui.Action) {
	if v.Typing() {
		return []ui.Action{ui.Act("enter", "⏎", "search").Named("search-now").In(ui.Typing).InFooter(), ui.Act("esc", "esc", "leave search").In(ui.Typing).InFooter()}
	}
	for _, a := range v.actions() {
		switch a.Key.Help() {
		case readingKeys.Prev.Key.Help():
			out = append(out, a.JoinedWith(readingKeys.Next))
		case readingKeys.Next.Key.Help(): // It stands with the other.
		default:
			out = append(out, a.Action)
		}
	}
	k := ui.DefaultPagerKeys()
	for i, b := range []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.HalfUp, k.HalfDown, k.Top, k.Bottom} {
		out = append(out, ui.Action{Key: b, Group: "Move", OnlyKey: i < 2})
	}
	return out
}

func (v *Reading) actions() []views.Action {
	m, some := v.message()
	const none, nothing = "there are no messages", "nothing was searched"
	k, unfold := readingKeys, readingKeys.Unfold
	if v.unfolded {
		unfold = ui.Act("t", "t", "fold tools").Named(unfold.ID())
	}
	next, prev := k.NextMatch.In("Find").Off(v.needle != "", nothing), k.PrevMatch.In("Find").Off(v.needle != "", nothing)
	next.Footer, prev.Footer = v.needle != "", v.needle != ""
	return []views.Action{
		{Action: k.Back.In("Read").InFooter().Off(some, none), Run: func() tea.Cmd { return ui.Say(ui.PopMsg{Screen: v}) }},
		{Action: unfold.In("Read").InFooter().Off(some, none), Run: func() tea.Cmd { v.unfold(); return nil }},
		{Action: k.Search.In("Find").InFooter().Off(some, none), Run: func() tea.Cmd { v.input.Open(v.needle); return nil }},
		{Action: k.Prev.In("Read").InFooter().Off(some, none), Run: func() tea.Cmd { return v.step(-1) }},
		{Action: k.Next.In("Read").Off(some, none), Run: func() tea.Cmd { return v.step(1) }},
		{Action: keyTraceMessage.In("Look").Off(some, none), Run: func() tea.Cmd { return traceMessage(v.env, v.conv, 0, m.ID) }},
		{Action: next, Run: func() tea.Cmd { return v.find(false) }},
		{Action: prev, Run: func() tea.Cmd { return v.find(true) }},
		{Action: k.Text.In("Read").Off(some, none), Run: func() tea.Cmd {
			return views.CopyToClipboard(m.Content, "the text of message "+messageID(m)+", "+ui.Size(int64(len(m.Content))))
		}},
	}
}

func (v *Reading) key(msg tea.KeyPressMsg) tea.Cmd {
	if v.Typing() {
		if v.input.Update(msg) == ui.Accepted {
			v.needle = strings.TrimSpace(v.input.Value())
			return v.findFrom(v.current, false, true)
		}
		return nil
	}
	if cmd, found := views.RunAction(v.actions(), msg); found {
		return cmd
	}
	page, k := max(1, v.height-2), ui.DefaultPagerKeys()
	switch {
	case key.Matches(msg, k.Top):
		return v.goToEnd(true)
	case key.Matches(msg, k.Bottom):
		return v.goToEnd(false)
	case key.Matches(msg, k.Up):
		v.scroll(-1)
	case key.Matches(msg, k.Down):
		v.scroll(1)
	case key.Matches(msg, k.PageUp):
		v.scroll(-page)
	case key.Matches(msg, k.PageDown):
		v.scroll(page)
	case key.Matches(msg, k.HalfUp):
		v.scroll(-page / 2)
	case key.Matches(msg, k.HalfDown):
		v.scroll(max(1, page/2))
	}
	return nil
}

// step goes to the next message, or the previous one.
func (v *Reading) step(n int) tea.Cmd {
	at := v.index(v.current) + n
	if at < 0 || at >= len(v.window.items) {
		return nil
	}
	return v.goTo(readingPlace{seq: v.window.items[at].Seq})
}

// unfold shows calls and answers of tools whole, or in a line each again; the message under
// the cursor stays on top.
func (v *Reading) unfold() {
	v.unfolded = !v.unfolded
	clear(v.laid)
	v.drawn.unfolded = v.unfolded
	v.show(readingPlace{seq: v.current})
}

// find goes to the next match, or the previous one: in the message under the cursor first.
func (v *Reading) find(backwards bool) tea.Cmd {
	if at, ok := v.matchWithin(backwards); ok {
		v.show(at)
		return nil
	}
	return v.findFrom(v.current, backwards, false)
}

// findFrom searches the messages from a seq on, that one only if here.
func (v *Reading) findFrom(seq int64, backwards, here bool) tea.Cmd {
	clear(v.laid)
	if v.needle == "" {
		return nil
	}
	return v.env.Jobs.Start(v, "search", views.Read(searchMessages(v.env.DB, v.conv.ID, v.needle, seq, backwards, here)))
}

func (v *Reading) receiveMatch(m matchMsg) tea.Cmd {
	v.match = m
	if !m.ok {
		return ui.Say(ui.StatusMsg{Text: "no message of this conversation holds “" + v.needle + "”", Kind: ui.Warn})
	}
	cmd := tea.Batch(v.goTo(readingPlace{seq: m.seq, match: true, backwards: m.backwards}), countMatches(v.env, v, v.conv.ID, v.needle, m))
	if m.wrapped {
		return tea.Batch(cmd, ui.Say(ui.StatusMsg{Text: "went around the end of the conversation"}))
	}
	return cmd
}
