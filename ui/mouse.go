package ui

import tea "charm.land/bubbletea/v2"

// Lines above the screen's own area.

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
