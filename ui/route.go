package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// key sends a key on its way: always ctrl+c, then what is drawn over the
// screen, then a screen that takes text, then the shell's keys, then the
// screen.
func (a *App) key(m tea.KeyPressMsg) tea.Cmd {
	if m.String() == "ctrl+c" {
		return a.quit()
	}
	a.closedByLastKey, a.closedByThisKey = a.closedByThisKey, false
	if a.quitting || a.jobs.now().Before(a.ignoreKeysUntil) {
		return nil
	}
	if a.overlay != nil {
		return a.overlayKey(m)
	}
	err := a.err
	a.err = nil
	a.closedByThisKey = err != nil
	if a.typing() {
		cmd := a.top().Update(m)
		a.closedByThisKey = a.closedByThisKey || !a.typing()
		return cmd
	}
	if err != nil && key.Matches(m, a.keys.Details) {
		a.overlay = newDetails(a.styles, err, a.cfg.Version)
		return nil
	}
	return a.shellKey(m)
}

func (a *App) shellKey(m tea.KeyPressMsg) tea.Cmd {
	offered := a.undoOffered()
	a.status.dismiss()
	switch {
	case key.Matches(m, a.keys.Palette) && !a.boundControl(m):
		p, cmd := a.newPalette()
		a.overlay = p
		return cmd
	case key.Matches(m, a.keys.Help):
		a.overlay = newHelp(a.styles, a.top(), a.Actions())
	case key.Matches(m, a.keys.Back), key.Matches(m, a.keys.BackAlias) && !a.bound(m):
		return a.escape()
	case key.Matches(m, a.keys.Quit):
		return a.leave()
	case key.Matches(m, a.keys.Reload) && !a.boundControl(m):
		a.watchErr = "" // What the watch finds is news again.
		return a.changed(ChangedMsg{External: true})
	case key.Matches(m, a.keys.Copy) && a.copyable() != "":
		return a.copied()
	case key.Matches(m, a.keys.Undo) && offered:
		a.status = status{}
		return a.cfg.Undo()
	default:
		if cmd, ok := a.globalKey(m); ok {
			return cmd
		}
		if why := a.whyOff(m); why != "" {
			a.setStatus(status{text: why, kind: Warn})
			return nil
		}
		return a.top().Update(m)
	}
	return nil
}

// whyOff says why a key of the top screen does nothing now; it is empty for a key that
// works and for one that the screen doesn't have.
func (a *App) whyOff(m tea.KeyPressMsg) (why string) {
	for _, act := range a.top().Actions() {
		switch {
		case act.Group == Typing || !slices.Contains(act.Key.Keys(), m.String()):
		case act.Key.Enabled():
			return ""
		case why == "":
			why = act.Key.Help().Desc + ": " + reason(act)
		}
	}
	return why
}

// bound reports whether a key is one of the top screen's own.
func (a *App) bound(m tea.KeyPressMsg) bool {
	return slices.ContainsFunc(a.top().Actions(), func(act Action) bool { return key.Matches(m, act.Key) })
}

// boundControl reports whether a key with ctrl is one of the top screen's own. The shell has
// another key for each of its actions that has such a key.
func (a *App) boundControl(m tea.KeyPressMsg) bool { return m.Mod.Contains(tea.ModCtrl) && a.bound(m) }

func (a *App) overlayKey(m tea.KeyPressMsg) tea.Cmd {
	if key.Matches(m, a.keys.Back) {
		a.closeOverlay()
		a.closedByThisKey = true
		return nil
	}
	was := a.overlay
	closed, cmd := was.update(m)
	if closed && a.overlay == was { // What was chosen may have opened another.
		a.closeOverlay()
		a.closedByThisKey = true
	}
	return cmd
}

func (a *App) typing() bool {
	t, ok := a.top().(Typer)
	return ok && t.Typing()
}

// paste goes to whatever is taking text; elsewhere it means nothing.
func (a *App) paste(m tea.PasteMsg) tea.Cmd {
	if a.overlay != nil {
		_, cmd := a.overlay.update(m)
		return cmd
	}
	if a.typing() {
		return a.top().Update(m)
	}
	return nil
}

func (a *App) copyable() string {
	if c, ok := a.top().(Copier); ok {
		return c.Copy()
	}
	return ""
}

func (a *App) copied() tea.Cmd {
	text := a.copyable()
	shown := Line(text)
	if ansi.StringWidth(shown) > 60 {
		shown = Size(int64(len(text)))
	}
	a.setStatus(status{text: "copied " + shown, kind: Done})
	return tea.SetClipboard(text)
}
