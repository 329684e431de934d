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
	a.closedBefore, a.closed = a.closed, false
	if a.quitting || a.jobs.now().Before(a.deaf) {
		return nil
	}
	if a.over != nil {
		return a.overKey(m)
	}
	err := a.err
	a.err = nil
	a.closed = err != nil
	if a.typing() {
		cmd := a.top().Update(m)
		a.closed = a.closed || !a.typing()
		return cmd
	}
	if err != nil && key.Matches(m, a.keys.Details) {
		a.over = newDetails(a.styles, err)
		return nil
	}
	return a.shellKey(m)
}

func (a *App) shellKey(m tea.KeyPressMsg) tea.Cmd {
	offered := a.undoOffered()
	a.note.pressed()
	switch {
	case key.Matches(m, a.keys.Palette):
		p, cmd := a.newPalette()
		a.over = p
		return cmd
	case key.Matches(m, a.keys.Help):
		a.over = newHelp(a.styles, a.top(), a.Actions())
	case key.Matches(m, a.keys.Back), key.Matches(m, a.keys.Also) && !a.bound(m):
		return a.escape()
	case key.Matches(m, a.keys.Quit):
		return a.leave()
	case key.Matches(m, a.keys.Copy) && a.copyable() != "":
		return a.copied()
	case key.Matches(m, a.keys.Undo) && offered:
		a.note = status{}
		return a.cfg.Undo()
	default:
		if why := a.whyOff(m); why != "" {
			a.say(status{text: why, kind: Warn})
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

func (a *App) overKey(m tea.KeyPressMsg) tea.Cmd {
	if key.Matches(m, a.keys.Back) {
		a.closeOverlay()
		a.closed = true
		return nil
	}
	was := a.over
	closed, cmd := was.update(m)
	if closed && a.over == was { // What was chosen may have opened another.
		a.closeOverlay()
		a.closed = true
	}
	return cmd
}

func (a *App) typing() bool {
	t, ok := a.top().(Typer)
	return ok && t.Typing()
}

// paste goes to whatever is taking text; elsewhere it means nothing.
func (a *App) paste(m tea.PasteMsg) tea.Cmd {
	if a.over != nil {
		_, cmd := a.over.update(m)
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
	a.say(status{text: "copied " + shown, kind: Done})
	return tea.SetClipboard(text)
}
