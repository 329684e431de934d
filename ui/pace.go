package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// frameTime is the shortest time between two drawings. The terminal is painted no more
// often than that either.
const frameTime = time.Second / 60

// paced is an App that is drawn at most once a frame. Bubble Tea draws the window after
// every message. A key that is held down, or pasted text, brings messages faster than a
// large screen can be drawn, and the screen would lag behind the keys. Every message is
// still handled, in order.
type paced struct {
	app   *App
	now   func() time.Time
	view  tea.View
	drawn time.Time // When view was finished.
	due   bool      // A drawMsg is on its way, and view stands until then.
}

// drawMsg ends the time in which nothing is drawn.
type drawMsg struct{}

// Paced is the App for a terminal. A message that comes alone is drawn at once.
func Paced(app *App) tea.Model { return &paced{app: app, now: time.Now} }

// Init implements tea.Model.
func (p *paced) Init() tea.Cmd { return p.app.Init() }

// Update implements tea.Model.
func (p *paced) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(drawMsg); ok {
		p.due = false
		return p, nil
	}
	_, cmd := p.app.Update(msg)
	if rest := frameTime - p.now().Sub(p.drawn); rest > 0 && !p.due {
		p.due = true
		cmd = tea.Batch(cmd, tea.Tick(rest, func(time.Time) tea.Msg { return drawMsg{} }))
	}
	return p, cmd
}

// View implements tea.Model.
func (p *paced) View() tea.View {
	if !p.due {
		p.view = p.app.View()
		p.drawn = p.now()
	}
	return p.view
}
