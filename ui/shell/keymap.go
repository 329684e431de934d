package shell

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// keymap is the keys of the user, and what of them counts where text is taken.
type keymap struct{ all, typing ui.Keymap }

// show returns an action of a screen with the keys of the user.
func (k keymap) show(a ui.Action) ui.Action {
	if a.Group == ui.Typing {
		return k.typing.Show(a)
	}
	return k.all.Show(a)
}

// typed returns the key that a screen which takes text has for a key. gone says that it has none.
func (k keymap) typed(s ui.Screen, m tea.KeyPressMsg) (own tea.KeyPressMsg, gone bool) {
	if len(k.typing) == 0 {
		return m, false
	}
	actions := slices.DeleteFunc(slices.Clone(s.Actions()), func(a ui.Action) bool { return a.Group != ui.Typing })
	name, gone := k.typing.Pressed(actions, m.String())
	if name != "" {
		return ui.Press(name), false
	}
	return m, gone
}

// SetKeymap gives actions the keys of the user: the shell's own at once, those of screens when one is
// pressed or shown.
func (a *App) SetKeymap(m ui.Keymap) {
	a.keymap, a.keys = keymap{m, m.WhileTyping()}, newShellKeys()
	k := &a.keys
	for _, b := range []*key.Binding{&k.Quit, &k.Help, &k.Palette, &k.Menu, &k.Copy, &k.Undo, &k.Details, &k.Reload, &k.Interrupt, &k.Suspend, &k.Back, &k.BackAlias} {
		shown := ui.Action{Key: *b}
		shown.Each = shown.ID() == backName // Esc, q and b differ where there is nothing to go back to.
		*b = m.Show(shown).Key
	}
}

// backName is the name of the keys that go back, of which q quits on the first screen.
const backName = "back"

// userKey handles a key that the user gave to an action of the screen, or took from one, and reports
// whether it was such a key.
func (a *App) userKey(m tea.KeyPressMsg) (tea.Cmd, bool) {
	if len(a.keymap.all) == 0 {
		return nil, false
	}
	actions := slices.DeleteFunc(slices.Clone(a.Top().Actions()), func(act ui.Action) bool { return act.Group == ui.Typing })
	for _, g := range a.globalActions() {
		actions = append(actions, g.Action)
	}
	own, gone := a.keymap.all.Pressed(actions, m.String())
	isBack := slices.ContainsFunc(actions, func(act ui.Action) bool { return act.ID() == backName && slices.Contains(act.Key.Keys(), own) })
	switch {
	case own != "" && !isBack: // What goes back is the shell's.
		a.status.dismiss()
		return a.give(ui.Press(own)), true
	case gone && !a.keys.match(m):
		a.status.dismiss()
		return nil, true
	}
	return nil, false
}

// screenKey handles a key that isn't the shell's. One that works in the menu only is said to be there.
func (a *App) screenKey(m tea.KeyPressMsg) tea.Cmd {
	if act, ok := a.keymap.needsMenu(a.Top(), m); ok {
		a.status.say(status{text: a.keys.Menu.Help().Key + " " + label(act) + ": " + act.Key.Help().Desc, kind: ui.Warn})
		return nil
	}
	return a.give(m)
}

// give gives a key to an action of every screen, or else to the top one. It says why a key that is off does nothing.
func (a *App) give(m tea.KeyPressMsg) tea.Cmd {
	for _, g := range a.globalActions() {
		if key.Matches(m, g.Key) {
			return g.Run()
		}
	}
	if why := whyOff(a.Top(), m); why != "" {
		a.status.say(status{text: why, kind: ui.Warn})
		return nil
	}
	for _, act := range a.Top().Actions() {
		if act.Deliberate && key.Matches(m, act.Key) && a.ahead.refuseUnseen(m, act.Key.Help().Desc) {
			return nil
		}
	}
	return a.Top().Update(m)
}

// match reports whether a key is one of the shell's own.
func (k *shellKeys) match(m tea.KeyPressMsg) bool {
	return key.Matches(m, k.Back, k.BackAlias, k.Quit, k.Help, k.Palette, k.Menu, k.Copy, k.Undo, k.Details, k.Reload, k.Interrupt, k.Suspend)
}

// OwnActions returns every action of the shell, with its own keys.
func OwnActions() (out []ui.Action) {
	k := newShellKeys()
	for _, b := range []key.Binding{k.Help, k.Palette, k.Menu, k.Copy, k.Undo, k.Details, k.Reload, k.Interrupt, k.Suspend} {
		out = append(out, ui.Action{Key: b})
	}
	for _, b := range []key.Binding{k.Back, k.Quit, k.BackAlias} {
		out = append(out, ui.Action{Key: b}.WithEach())
	}
	return out
}
