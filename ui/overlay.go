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
	if a.overlay != nil {
		a.jobs.Cancel(a.overlay)
		a.overlay = nil
	}
}

const overlayID = "over"

// drawOverlay lays the overlay over the middle of the window.
func (a *App) drawOverlay(window string) string {
	if a.overlay == nil {
		return window
	}
	return lipgloss.NewCanvas(a.width, a.height).
		Compose(lipgloss.NewCompositor(lipgloss.NewLayer(window), a.overlayLayer())).Render()
}

func (a *App) overlayLayer() *lipgloss.Layer {
	box := a.overlay.view(max(a.width, minWidth), max(a.height, minHeight))
	return lipgloss.NewLayer(box).ID(overlayID).Z(1).
		X(max(0, (a.width-lipgloss.Width(box))/2)).
		Y(max(0, (a.height-lipgloss.Height(box))/2))
}

// overlayHit reports whether a place is on the overlay.
func (a *App) overlayHit(m tea.Mouse) bool {
	return lipgloss.NewCompositor(a.overlayLayer()).Hit(m.X, m.Y).ID() == overlayID
}
