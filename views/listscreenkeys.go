package views

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// Action is a key of a screen and the function that the key runs. Help, footer and key
// handling use the same value, so that they can't differ.
type Action struct {
	ui.Action
	Run func() tea.Cmd
}

// The keys of a list with a text beside it.
var (
	KeyRead     = ui.Act("enter", "⏎", "read").In("Read").InFooter()
	KeyOther    = ui.Act("tab", "tab", "list/text").In("Read").InFooter().AsKeyOnly()
	keyBackList = ui.Act("esc", "esc", "back to the list").Named("back").WithEach().In("Read").InFooter()
)

// TextHasKeys is why a key of the list is off while the text has the keys.
const TextHasKeys = "the text has the keys: esc goes back to the list"

// Focus sends keys to the text, or to the list.
func (p *ListScreen[Row, Detail]) Focus(on bool) tea.Cmd {
	p.TextFocused, p.Pager.Keys = on, ui.DetailKeys()
	if on {
		k := ui.DefaultPagerKeys()
		k.Up, k.Down = ui.Bind("up k K", "↑/k", "up"), ui.Bind("down j J", "↓/j", "down")
		p.Pager.Keys = k
	}
	return nil
}

// ReadAction returns the action of enter on screens where enter moves the keys to the
// text. It is off for the reason emptyReason while the list is empty.
func (p *ListScreen[Row, Detail]) ReadAction(emptyReason string) Action {
	if p.TextFocused {
		emptyReason = TextHasKeys
	}
	return Action{KeyRead.Off(p.List.Len() > 0 && !p.TextFocused, emptyReason), func() tea.Cmd { return p.Focus(true) }}
}

// Actions implements ui.Screen.
func (p *ListScreen[Row, Detail]) Actions() (out []ui.Action) {
	if p.Path.Typing() {
		return p.Path.actions()
	}
	if p.TextFocused {
		out = append(out, keyBackList)
	}
	reading := len(p.List.Items()) == 0 && p.jobs.Running(p.screen, "load")
	for _, a := range p.screen.OwnActions() {
		if reading && !a.Key.Enabled() { // What its reason says of the rows isn't known yet.
			a.Why = "the list is being read"
		}
		out = append(out, a.Action)
	}
	other := KeyOther.Off(p.List.Len() > 0, "the list is empty")
	other.Footer = !p.TextFocused // Esc is there then.
	out = append(out, other)
	if !p.TextFocused {
		out = append(out, slices.DeleteFunc(p.List.Actions(), func(a ui.Action) bool { return len(a.Key.Keys()) == 0 })...)
	}
	out = append(out, p.Pager.Actions()...)
	for _, a := range p.zoomActions() {
		out = append(out, a.Action)
	}
	if p.Tabs != nil {
		out = append(out, p.Tabs.tabActions()...)
	}
	return out
}

// key sends a key to the input that is open, else to the screen's own actions, the tabs,
// the text and the list.
func (p *ListScreen[Row, Detail]) key(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.List.Typing():
		return p.List.Update(msg)
	case p.Typing():
		return p.Pager.Update(msg)
	}
	if cmd, ok := p.runAction(msg); ok {
		return cmd
	}
	if p.Tabs != nil {
		if cmd := p.Tabs.tabKey(msg); cmd != nil {
			return cmd
		}
		if key.Matches(msg, keyFocus.Key) && p.List.SortName() == "" && p.Tabs.index != TabFocus {
			return p.Tabs.Hub.turnTo(TabFocus)
		}
	}
	for _, a := range append(p.zoomActions(), Action{KeyOther.Off(p.List.Len() > 0, ""), func() tea.Cmd { return p.Focus(!p.TextFocused) }}) {
		if key.Matches(msg, a.Key) {
			return a.Run()
		}
	}
	cmd := p.Pager.Update(msg)
	if !p.TextFocused {
		cmd = tea.Batch(cmd, p.List.Update(msg))
	}
	return cmd
}

// runAction runs the screen's action for a key, and reports whether there is one.
func (p *ListScreen[Row, Detail]) runAction(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	cmd, found := RunAction(p.screen.OwnActions(), msg)
	p.Dirty = p.Dirty || found
	return cmd, found
}

// RunAction runs the action of a key that is on, and reports whether there is one.
func RunAction(actions []Action, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	for _, a := range actions {
		if key.Matches(msg, a.Key) {
			return a.Run(), true
		}
	}
	return nil, false
}
