package shell

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// View implements tea.Model.
func (a *App) View() tea.View {
	var h Header
	if a.cfg.Header != nil {
		h = a.cfg.Header()
	}
	v := tea.NewView(a.draw(h))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = ui.LineN(strings.TrimPrefix(h.Program+" · "+a.Top().Title(), " · "), 80)
	if r := a.jobs.Visible(a.Top()); r != nil && r.Total > 0 {
		v.ProgressBar = tea.NewProgressBar(tea.ProgressBarDefault, 100*min(r.Done, r.Total)/r.Total)
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
	h.Live = h.Live || a.jobs.Now().Sub(a.pulse) < pulseDuration
	var titles []string
	for _, s := range a.stack.screens() {
		titles = append(titles, ui.Line(s.Title()))
	}
	lines := []string{headLine(a.styles, h, titles, a.width)}
	if body > 0 {
		drawn := a.Top().View(max(a.width, minWidth), max(body, minHeight))
		lines = append(lines, ui.Fit(drawn, a.width, body))
	}
	lines = append(append(lines, status...), footLine(a.styles, a.Top(), a.Actions(), a.keys.last(a.Top()), a.width))
	return a.overlays.draw(ui.Fit(strings.Join(lines, "\n"), a.width, a.height), a.width, a.height)
}

func (a *App) bodyHeight() int {
	return max(0, a.height-bodyTop-1-len(a.statusLines()))
}

const bodyTop = 1 // Lines above the screen's own area.

// mouse hands wheel and click to what is under them: the overlay, or the top
// screen with y counted from its own first line.
func (a *App) mouse(msg tea.MouseMsg) tea.Cmd {
	switch msg.(type) {
	case tea.MouseClickMsg, tea.MouseWheelMsg:
	default:
		return nil
	}
	if a.overlays.open != nil {
		closed, cmd := a.overlays.mouse(msg, a.width, a.height)
		a.closedByThisKey = a.closedByThisKey || closed
		return cmd
	}
	m := msg.Mouse()
	if m.Y < bodyTop || m.Y >= bodyTop+a.bodyHeight() || a.quitting {
		return nil
	}
	return a.Top().Update(ui.ShiftMouse(msg, 0, bodyTop))
}

// DropMouseMotion returns a filter for tea.WithFilter that drops mouse motion, of which
// terminals send a flood and nothing here has a use for.
func DropMouseMotion(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.MouseMotionMsg); ok {
		return nil
	}
	return msg
}

// statusLines returns what there is to say: a job, then an error or what happened.
func (a *App) statusLines() []string {
	if a.quitting {
		return []string{a.styles.Muted.Render(ui.Cut(" stopping…", a.width))}
	}
	var out []string
	if r := a.jobs.Visible(a.Top()); r != nil {
		out = append(out, jobLine(a.styles, r, a.jobs.Elapsed(r), a.keys.Back.Help().Key, a.width))
	}
	return append(out, a.status.lines(a.width, a.height, a.keys.Reload.Help())...)
}
