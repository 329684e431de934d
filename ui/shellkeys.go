package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
)

type shellKeys struct {
	Back, Also, Quit, Help, Palette, Copy, Undo, Details key.Binding
}

func newShellKeys() shellKeys {
	return shellKeys{
		Back:    Bind("esc", "esc", "back"),
		Also:    Bind("b backspace", "b", "back"),
		Quit:    Bind("q", "q", "back"),
		Help:    Bind("?", "?", "help"),
		Palette: Bind(": ctrl+p", ":", "commands"),
		Copy:    Bind("y", "y", "copy"),
		Undo:    Bind("u", "u", "undo"),
		Details: Bind("D", "D", "details of the error"),
	}
}

// Actions is every action as of now: the top screen's, then the shell's.
func (a *App) Actions() []Action {
	return slices.Concat(a.top().Actions(), a.own())
}

// own is the shell's actions.
func (a *App) own() []Action {
	const group = "Program"
	k := a.keys
	leave := Action{Key: both(k.Quit, k.Back, "esc/q", "back"), Group: group}
	if a.first() {
		leave = Act("q", "q", "quit").In(group)
	}
	out := []Action{
		leave,
		Act("ctrl+c", "ctrl+c", "quit from anywhere").In(group),
		{Key: k.Palette, Group: group, Footer: true, OnlyKey: true},
		{Key: k.Help, Group: group, Footer: true},
	}
	if _, ok := a.top().(Copier); ok {
		out = append(out, Action{Key: k.Copy, Group: group}.Off(a.copyable() != "", "there is nothing to copy"))
	}
	if a.undoOffered() {
		out = append(out, Action{Key: k.Undo, Group: group})
	}
	return out
}
