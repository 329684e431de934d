package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// View implements tea.Model.
func (a *App) View() tea.View {
	h := a.head()
	v := tea.NewView(a.draw(h))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = LineN(strings.TrimPrefix(h.Program+" · "+a.top().Title(), " · "), 80)
	if r := a.jobs.visible(a.top()); r != nil && r.total > 0 {
		v.ProgressBar = tea.NewProgressBar(tea.ProgressBarDefault, 100*min(r.done, r.total)/r.total)
	}
	return v
}

// A screen is never drawn smaller than this; of a smaller window it shows a part.
const (
	minWidth  = 20
	minHeight = 5
)

// draw returns the whole window.
func (a *App) draw(h Header) string {
	if a.width <= 0 || a.height <= 0 {
		return ""
	}
	status := a.statusLines()
	body := max(0, a.height-bodyTop-1-len(status))
	lines := []string{a.headLine(h)}
	if body > 0 {
		drawn := a.top().View(max(a.width, minWidth), max(body, minHeight))
		lines = append(lines, Fit(drawn, a.width, body))
	}
	lines = append(append(lines, status...), a.footLine())
	return a.drawOverlay(Fit(strings.Join(lines, "\n"), a.width, a.height))
}

func (a *App) bodyHeight() int {
	return max(0, a.height-bodyTop-1-len(a.statusLines()))
}
