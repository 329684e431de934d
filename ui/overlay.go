package ui

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// overlay is a box over the screen that takes the keys while it is there. Esc
// closes it without its help.
type overlay interface {
	// update reports whether the overlay is done.
	update(tea.Msg) (closed bool, cmd tea.Cmd)
	// view draws the box, frame included, in at most width times height cells.
	view(width, height int) string
}

// closeOverlay closes the overlay, if there is one, and ends its jobs.
func (a *App) closeOverlay() {
	if a.over != nil {
		a.jobs.Cancel(a.over)
		a.over = nil
	}
}

const overID = "over"

// drawOver lays the overlay over the middle of the window.
func (a *App) drawOver(window string) string {
	if a.over == nil {
		return window
	}
	return lipgloss.NewCanvas(a.width, a.height).
		Compose(lipgloss.NewCompositor(lipgloss.NewLayer(window), a.overLayer())).Render()
}

func (a *App) overLayer() *lipgloss.Layer {
	box := a.over.view(max(a.width, leastWidth), max(a.height, leastHeight))
	return lipgloss.NewLayer(box).ID(overID).Z(1).
		X(max(0, (a.width-lipgloss.Width(box))/2)).
		Y(max(0, (a.height-lipgloss.Height(box))/2))
}

// overHit reports whether a place is on the overlay.
func (a *App) overHit(m tea.Mouse) bool {
	return lipgloss.NewCompositor(a.overLayer()).Hit(m.X, m.Y).ID() == overID
}
