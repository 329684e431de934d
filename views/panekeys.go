package views

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// deed is an action and what does it, so that what is offered and what is done
// can't differ.
type deed struct {
	ui.Action
	do func() tea.Cmd
}

var (
	keyRead     = ui.Act("enter", "⏎", "read").In("Read").InFooter()
	keyOther    = ui.Act("tab", "tab", "list/text").In("Read").InFooter()
	keyBackList = ui.Act("esc", "esc", "back to the list").In("Read").InFooter()
)

// focus gives the text the keys, or the list.
func (p *pane[Row, More]) focus(on bool) tea.Cmd {
	p.on, p.pager.Keys = on, ui.DetailKeys()
	if on {
		k := ui.DefaultPagerKeys()
		k.Up, k.Down = ui.Bind("up k K", "↑/k", "up"), ui.Bind("down j J", "↓/j", "down")
		if !p.finds {
			k.Search, k.Next, k.Prev = key.Binding{}, key.Binding{}, key.Binding{}
		}
		p.pager.Keys = k
	}
	return nil
}

// reading is the deed of enter where that goes to the text.
func (p *pane[Row, More]) reading(none string) deed {
	return deed{keyRead.Off(p.list.Len() > 0 && !p.on, none), func() tea.Cmd { return p.focus(true) }}
}

// Actions implements ui.Screen.
func (p *pane[Row, More]) Actions() (out []ui.Action) {
	if p.on {
		out = append(out, keyBackList)
	}
	for _, d := range p.self.deeds() {
		out = append(out, d.Action)
	}
	other := keyOther.Off(p.list.Len() > 0, "the list is empty")
	other.Footer = !p.on // Esc is there then.
	out = append(out, other)
	if !p.on {
		out = append(out, slices.DeleteFunc(p.list.Actions(), func(a ui.Action) bool { return len(a.Key.Keys()) == 0 })...)
	}
	out = append(out, p.pager.Actions()...)
	if p.tabs != nil {
		out = append(out, p.tabs.tabActions()...)
	}
	return out
}

// key goes to what is typed in, else to the screen's own keys, the tabs, the text
// and the list.
func (p *pane[Row, More]) key(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.list.Typing():
		return p.list.Update(msg)
	case p.Typing():
		return p.pager.Update(msg)
	}
	if cmd, ok := p.own(msg); ok {
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
	if key.Matches(msg, keyOther.Key) && p.list.Len() > 0 {
		return p.focus(!p.on)
	}
	cmd := p.pager.Update(msg)
	if !p.on {
		cmd = tea.Batch(cmd, p.list.Update(msg))
	}
	return cmd
}

// own does what the screen does by a key, and reports whether it does anything.
func (p *pane[Row, More]) own(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	for _, d := range p.self.deeds() {
		if key.Matches(msg, d.Key) {
			p.again = true
			return d.do(), true
		}
	}
	return nil, false
}
