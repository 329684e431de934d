package ui

import tea "charm.land/bubbletea/v2"

const bodyTop = 1 // Lines above the screen's own area.

// mouse hands wheel and click to what is under them: the overlay, or the top
// screen with y counted from its own first line.
func (a *App) mouse(msg tea.MouseMsg) tea.Cmd {
	switch msg.(type) {
	case tea.MouseClickMsg, tea.MouseWheelMsg:
	default:
		return nil
	}
	if a.over != nil {
		return a.overMouse(msg)
	}
	m := msg.Mouse()
	if m.Y < bodyTop || m.Y >= bodyTop+a.bodyHeight() || a.quitting {
		return nil
	}
	return a.top().Update(Shift(msg, 0, bodyTop))
}

// overMouse scrolls the overlay; a click beside it closes it.
func (a *App) overMouse(msg tea.MouseMsg) tea.Cmd {
	if _, click := msg.(tea.MouseClickMsg); click {
		if !a.overHit(msg.Mouse()) {
			a.closeOverlay()
			a.closed = true
		}
		return nil
	}
	_, cmd := a.over.update(msg)
	return cmd
}
