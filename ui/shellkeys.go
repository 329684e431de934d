package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
)

type shellKeys struct {
	Back, BackAlias, Quit, Help, Palette, Copy, Undo, Details, Reload key.Binding
}

func newShellKeys() shellKeys {
	return shellKeys{
		Back:      Bind("esc", "esc", "back"),
		BackAlias: Bind("b backspace", "b", "back"),
		Quit:      Bind("q", "q", "back"),
		Help:      Bind("?", "?", "help"),
		Palette:   Bind(": ctrl+p", ":", "commands"),
		Copy:      Bind("y", "y", "copy"),
		Undo:      Bind("u", "u", "undo"),
		Reload:    Bind("ctrl+r f5", "ctrl+r", "read again"),
		Details:   Bind("D", "D", "details of the error"),
	}
}

// Actions is every action as of now: the top screen's, then the shell's.
func (a *App) Actions() []Action {
	return slices.Concat(a.top().Actions(), a.shellActions())
}

// shellActions is the shell's actions.
func (a *App) shellActions() []Action {
	const group = "Program"
	k := a.keys
	leave := Action{Key: joinBindings(k.Quit, k.Back, "esc/q", "back"), Group: group}
	if a.isFirst() {
		leave = Act("q", "q", "quit").In(group)
	}
	out := []Action{
		leave,
		Act("ctrl+c", "ctrl+c", "quit from anywhere").In(group),
		{Key: k.Palette, Group: group, Footer: true, OnlyKey: true},
		{Key: k.Help, Group: group, Footer: true},
		{Key: k.Reload, Group: group},
	}
	if _, ok := a.top().(Copier); ok {
		out = append(out, Action{Key: k.Copy, Group: group}.Off(a.copyable() != "", "there is nothing to copy"))
	}
	if a.undoOffered() {
		out = append(out, Action{Key: k.Undo, Group: group})
	}
	return out
}
