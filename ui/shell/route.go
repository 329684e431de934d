package shell

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// input hands a key or a paste to what takes it. Where nothing takes text a paste means nothing.
func (a *App) input(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		return a.key(k)
	}
	if a.overlays.open != nil {
		_, cmd := a.overlays.open.update(msg)
		return cmd
	}
	if typing(a.Top()) {
		return a.Top().Update(msg)
	}
	return nil
}

// key sends a key on its way: always ctrl+c, then what is drawn over the
// screen, then a screen that takes text, then the shell's keys, then the
// screen.
func (a *App) key(m tea.KeyPressMsg) tea.Cmd {
	if key.Matches(m, a.keys.Interrupt) {
		return a.quit()
	}
	if key.Matches(m, a.keys.Suspend) { // A job goes on after fg.
		return tea.Suspend
	}
	a.closedByLastKey, a.closedByThisKey = a.closedByThisKey, false
	if a.quitting || a.jobs.Now().Before(a.ignoreKeysUntil) {
		return nil
	}
	if a.overlays.open != nil {
		return a.overlayKey(m)
	}
	err := a.status.dismissError()
	a.closedByThisKey = err != nil
	if typing(a.Top()) {
		m, gone := a.keymap.typed(a.Top(), m)
		if gone {
			return nil
		}
		cmd := a.Top().Update(m)
		a.closedByThisKey = a.closedByThisKey || !typing(a.Top())
		return cmd
	}
	if err != nil && key.Matches(m, a.keys.Details) {
		a.overlays.open = newDetails(a.styles, err, a.status.inWords, a.cfg.Version, slices.Concat(a.keys.Details.Keys(), a.keys.Quit.Keys(), a.keys.Back.Keys())...)
		return nil
	}
	if cmd, ok := a.userKey(m); ok {
		return cmd
	}
	return a.shellKey(m)
}

func (a *App) shellKey(m tea.KeyPressMsg) tea.Cmd {
	offered := a.offersUndo()
	a.status.dismiss()
	switch {
	case key.Matches(m, a.keys.Palette) && !boundControl(a.Top(), m):
		p, cmd := a.newPalette()
		a.overlays.open = p
		return cmd
	case key.Matches(m, a.keys.Menu) && !bound(a.Top(), m) && hasMenu(a.Top()):
		a.overlays.open = newMenu(a.styles, a.keymap, a.Top(), a.give)
	case key.Matches(m, a.keys.Help):
		a.overlays.open = newHelp(a.styles, a.Top(), a.Actions, slices.Concat(a.keys.Help.Keys(), a.keys.Quit.Keys(), a.keys.Back.Keys())...)
	case key.Matches(m, a.keys.Back), key.Matches(m, a.keys.BackAlias) && !bound(a.Top(), m):
		return a.escape()
	case key.Matches(m, a.keys.Quit):
		return a.leave()
	case key.Matches(m, a.keys.Reload) && !boundControl(a.Top(), m):
		a.watchErr = "" // What the watch finds is news again.
		return a.changed(ui.ChangedMsg{External: true})
	case key.Matches(m, a.keys.Copy) && copyable(a.Top()) != "":
		return a.copied()
	case key.Matches(m, a.keys.Undo) && offered:
		a.status.note = status{}
		return a.cfg.Undo()
	default:
		return a.screenKey(m)
	}
	return nil
}

// whyOff says why a key of a screen does nothing now; it is empty for a key that
// works and for one that the screen doesn't have.
func whyOff(s ui.Screen, m tea.KeyPressMsg) (why string) {
	for _, act := range s.Actions() {
		switch {
		case act.Group == ui.Typing || !slices.Contains(act.Key.Keys(), m.String()):
		case act.Key.Enabled():
			return ""
		case why == "":
			why = m.String() + " does nothing here: " + reason(act)
		}
	}
	return why
}

// bound reports whether a key is one of a screen's own, outside of its menu.
func bound(s ui.Screen, m tea.KeyPressMsg) bool {
	return slices.ContainsFunc(s.Actions(), func(act ui.Action) bool { return !act.Menu && key.Matches(m, act.Key) })
}

// boundControl reports whether a key with ctrl is one of a screen's own. The shell has
// another key for each of its actions that has such a key.
func boundControl(s ui.Screen, m tea.KeyPressMsg) bool {
	return m.Mod.Contains(tea.ModCtrl) && bound(s, m)
}

func (a *App) overlayKey(m tea.KeyPressMsg) tea.Cmd {
	if m.String() == "esc" { // Whatever goes back elsewhere: in a box another key may be text.
		a.overlays.close()
		a.closedByThisKey = true
		return nil
	}
	if q, ok := a.overlays.open.(*question); ok && saysYes(m) && a.ahead.refuseUnseen(m, q.verb) {
		return nil
	}
	closed, cmd := a.overlays.update(m)
	a.closedByThisKey = a.closedByThisKey || closed
	return cmd
}

// typing reports whether a screen takes text.
func typing(s ui.Screen) bool {
	t, ok := s.(ui.Typer)
	return ok && t.Typing()
}

// copyable returns what y copies, or nothing.
func copyable(s ui.Screen) string {
	if c, ok := s.(ui.Copier); ok {
		return c.Copy()
	}
	return ""
}

func (a *App) copied() tea.Cmd {
	text := copyable(a.Top())
	shown := ui.Line(text)
	if ansi.StringWidth(shown) > 60 {
		shown = ui.Size(int64(len(text)))
	}
	a.status.say(status{text: "copied " + shown, kind: ui.Done})
	return tea.SetClipboard(text)
}
