package shell

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

type shellKeys struct {
	Back, BackAlias, Quit, Help, Palette, Menu, Copy, Undo, Details, Reload, Interrupt, Suspend key.Binding
}

func newShellKeys() shellKeys {
	return shellKeys{
		Back:      ui.Bind("esc", "esc", "back"),
		BackAlias: ui.Bind("b backspace", "b", "back"),
		Quit:      ui.Bind("q", "q", "back"),
		Help:      ui.Bind("?", "?", "help"),
		Palette:   ui.Bind(": ctrl+p", ":", "commands"),
		Menu:      ui.Bind(".", ".", "more"),
		Copy:      ui.Bind("y", "y", "copy"),
		Undo:      ui.Bind("u", "u", "undo"),
		Reload:    ui.Bind("ctrl+r f5", "ctrl+r", "read again"),
		Details:   ui.Bind("D", "D", "details of the error"),
		Interrupt: ui.Bind("ctrl+c", "ctrl+c", "quit from anywhere"),
		Suspend:   ui.Bind("ctrl+z", "ctrl+z", "suspend"),
	}
}

// GlobalAction is an action that works on every screen.
type GlobalAction struct {
	ui.Action
	// First says that help and footer begin with it.
	First bool
	// Run is called on the update loop.
	Run func() tea.Cmd
}

// Actions returns every action as of now: the first ones of every screen, the top screen's,
// the others of every screen, then the shell's.
func (a *App) Actions() (out []ui.Action) {
	var first, rest []ui.Action
	for _, g := range a.globalActions() {
		if g.First {
			first = append(first, g.Action)
		} else {
			rest = append(rest, g.Action)
		}
	}
	screen := slices.Concat(first, a.Top().Actions(), rest)
	for i := range screen {
		moved := a.keymap.all.Moves(screen[i])
		screen[i] = a.keymap.show(screen[i])
		if screen[i].Menu = screen[i].Menu && !moved; screen[i].Menu {
			screen[i].Key.SetHelp(a.keys.Menu.Help().Key+" "+label(screen[i]), screen[i].Key.Help().Desc)
		}
	}
	return append(screen, a.shellActions()...)
}

// globalActions returns the actions of every screen for whose keys the top screen has none that
// works.
func (a *App) globalActions() []GlobalAction {
	if a.cfg.Global == nil {
		return nil
	}
	all, own := a.cfg.Global(a.stack.screens()), a.Top().Actions()
	return slices.DeleteFunc(all, func(g GlobalAction) bool {
		return slices.ContainsFunc(own, func(act ui.Action) bool {
			return act.Group != ui.Typing && !act.Menu && act.Key.Enabled() && slices.Contains(act.Key.Keys(), g.Key.Keys()[0])
		})
	})
}

// reloadKey returns the key that reads again, without the name that the top screen has for its own.
func (k *shellKeys) reloadKey(top ui.Screen) key.Binding {
	if boundControl(top, ui.Press(k.Reload.Keys()[0])) {
		return ui.Bind("f5", "f5", k.Reload.Help().Desc)
	}
	return k.Reload
}

// last returns the keys with which a footer ends.
func (k *shellKeys) last(top ui.Screen) []key.Binding {
	if hasMenu(top) {
		return []key.Binding{k.Menu, k.Help}
	}
	return []key.Binding{k.Help}
}

// shellActions returns the shell's actions.
func (a *App) shellActions() []ui.Action {
	const group = "Program"
	k := a.keys
	leave := ui.Action{Key: ui.JoinBindings(k.Quit, k.Back, k.Back.Help().Key+"/"+k.Quit.Help().Key, "back"), Group: group}
	if a.stack.isFirst() {
		leave = ui.Action{Key: k.Quit, Group: group}
		leave.Key.SetHelp(k.Quit.Help().Key, "quit")
	}
	leave = leave.Named(backName).WithEach()
	out := []ui.Action{
		leave,
		{Key: k.Interrupt, Group: group},
		{Key: k.Suspend, Group: group},
		{Key: k.Palette, Group: group, Footer: true, OnlyKey: true},
		{Key: k.Help, Group: group, Footer: true},
		{Key: k.reloadKey(a.Top()), Group: group},
	}
	if hasMenu(a.Top()) {
		out = slices.Insert(out, len(out)-2, ui.Action{Key: k.Menu, Group: group, Footer: true, OnlyKey: true})
	}
	if _, ok := a.Top().(ui.Copier); ok {
		out = append(out, ui.Action{Key: k.Copy, Group: group}.Off(copyable(a.Top()) != "", "there is nothing to copy"))
	}
	if a.offersUndo() {
		out = append(out, ui.Action{Key: k.Undo, Group: group})
	}
	return out
}

// offersUndo reports whether u undoes what happened.
func (a *App) offersUndo() bool { return a.cfg.Undo != nil && a.status.offersUndo() }
