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
	if a.overlay != nil {
		return a.overlayMouse(msg)
	}
	m := msg.Mouse()
	if m.Y < bodyTop || m.Y >= bodyTop+a.bodyHeight() || a.quitting {
		return nil
	}
	return a.top().Update(ShiftMouse(msg, 0, bodyTop))
}

// overlayMouse scrolls the overlay; a click beside it closes it.
func (a *App) overlayMouse(msg tea.MouseMsg) tea.Cmd {
	if _, click := msg.(tea.MouseClickMsg); click {
		if !a.overlayHit(msg.Mouse()) {
			a.closeOverlay()
			a.closedByThisKey = true
		}
		return nil
	}
	_, cmd := a.overlay.update(msg)
	return cmd
}

// ShiftMouse returns msg, if it is a mouse message, with its place counted from the
// cell x, y; any other message comes back as it is. Use it to hand a click to a
// widget that does not begin at the top left of its screen.
func ShiftMouse(msg tea.Msg, x, y int) tea.Msg {
	switch m := msg.(type) {
	case tea.MouseClickMsg:
		m.X, m.Y = m.X-x, m.Y-y
		return m
	case tea.MouseReleaseMsg:
		m.X, m.Y = m.X-x, m.Y-y
		return m
	case tea.MouseWheelMsg:
		m.X, m.Y = m.X-x, m.Y-y
		return m
	case tea.MouseMotionMsg:
		m.X, m.Y = m.X-x, m.Y-y
		return m
	}
	return msg
}

// DropMouseMotion returns a filter for tea.WithFilter that drops mouse motion, of which
// terminals send a flood and nothing here has a use for.
func DropMouseMotion(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.MouseMotionMsg); ok {
		return nil
	}
	return msg
}
