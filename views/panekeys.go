package views

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// action is a key of a screen and the function that the key runs. Help, footer and key
// handling use the same value, so that they can't differ.
type Action struct {
	ui.Action
	run func() tea.Cmd
}

var (
	keyRead     = ui.Act("enter", "⏎", "read").In("Read").InFooter()
	keyOther    = ui.Act("tab", "tab", "list/text").In("Read").InFooter().AsKeyOnly()
	keyBackList = ui.Act("esc", "esc", "back to the list").In("Read").InFooter()
)

// textHasKeys is why a key of the list is off while the text has the keys.
const textHasKeys = "the text has the keys: esc goes back to the list"

// focus sends keys to the text, or to the list.
func (p *ListScreen[Row, Detail]) focus(on bool) tea.Cmd {
	p.textFocused, p.pager.Keys = on, ui.DetailKeys()
	if on {
		k := ui.DefaultPagerKeys()
		k.Up, k.Down = ui.Bind("up k K", "↑/k", "up"), ui.Bind("down j J", "↓/j", "down")
		p.pager.Keys = k
	}
	return nil
}

// readAction returns the action of enter on screens where enter moves the keys to the
// text. It is off for the reason emptyReason while the list is empty.
func (p *ListScreen[Row, Detail]) readAction(emptyReason string) Action {
	if p.textFocused {
		emptyReason = textHasKeys
	}
	return Action{keyRead.Off(p.list.Len() > 0 && !p.textFocused, emptyReason), func() tea.Cmd { return p.focus(true) }}
}

// Actions implements ui.Screen.
func (p *ListScreen[Row, Detail]) Actions() (out []ui.Action) {
	if p.textFocused {
		out = append(out, keyBackList)
	}
	for _, a := range p.screen.OwnActions() {
		out = append(out, a.Action)
	}
	other := keyOther.Off(p.list.Len() > 0, "the list is empty")
	other.Footer = !p.textFocused // Esc is there then.
	out = append(out, other)
	if !p.textFocused {
		out = append(out, slices.DeleteFunc(p.list.Actions(), func(a ui.Action) bool { return len(a.Key.Keys()) == 0 })...)
	}
	out = append(out, p.pager.Actions()...)
	for _, a := range p.zoomActions() {
		out = append(out, a.Action)
	}
	if p.tabs != nil {
		out = append(out, p.tabs.tabActions()...)
	}
	return out
}

// key sends a key to the input that is open, else to the screen's own actions, the tabs,
// the text and the list.
func (p *ListScreen[Row, Detail]) key(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.list.Typing():
		return p.list.Update(msg)
	case p.Typing():
		return p.pager.Update(msg)
	}
	if cmd, ok := p.runAction(msg); ok {
		return cmd
	}
	if p.tabs != nil {
		if cmd := p.tabs.tabKey(msg); cmd != nil {
			return cmd
		}
		if key.Matches(msg, keyFocus.Key) && p.list.SortName() == "" && p.tabs.index != tabFocus {
			return p.tabs.hub.show(tabFocus)
		}
	}
	for _, a := range append(p.zoomActions(), Action{keyOther.Off(p.list.Len() > 0, ""), func() tea.Cmd { return p.focus(!p.textFocused) }}) {
		if key.Matches(msg, a.Key) {
			return a.run()
		}
	}
	cmd := p.pager.Update(msg)
	if !p.textFocused {
		cmd = tea.Batch(cmd, p.list.Update(msg))
	}
	return cmd
}

// runAction runs the screen's action for a key, and reports whether there is one.
func (p *ListScreen[Row, Detail]) runAction(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	cmd, found := runAction(p.screen.OwnActions(), msg)
	p.dirty = p.dirty || found
	return cmd, found
}

// runAction runs the action of a key that is on, and reports whether there is one.
func runAction(actions []Action, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	for _, a := range actions {
		if key.Matches(msg, a.Key) {
			return a.run(), true
		}
	}
	return nil, false
}
