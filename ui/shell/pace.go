package shell

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// FramesPerSecond is how often the program is drawn, and the terminal painted, at most. It is as often
// as Bubble Tea can: a key waits for the next frame, half of one on average.
const FramesPerSecond = 120

// frameTime is the shortest time between two drawings.
const frameTime = time.Second / FramesPerSecond

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

	rest     *Rest     // Nil where the program doesn't rest.
	last     time.Time // When the last message came.
	settling bool      // A settledMsg is on its way.
	same     bool      // The last message changed nothing that is shown.
}

// drawMsg ends the time in which nothing is drawn.
type drawMsg struct{}

// settledMsg asks whether the program can rest.
type settledMsg struct{}

// Paced returns the App for a terminal. A message that comes alone is drawn at once. Where no message
// comes, it rests; rest may be nil.
func Paced(app *App, rest *Rest) tea.Model { return &paced{app: app, now: time.Now, rest: rest} }

// Init implements tea.Model.
func (p *paced) Init() tea.Cmd { return p.app.Init() }

// Update implements tea.Model.
func (p *paced) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if p.same = isRestMark(msg); p.same {
		return p, nil
	}
	switch msg.(type) {
	case settledMsg:
		p.same, p.settling = true, false
		return p, p.settle()
	case drawMsg:
		p.due = false
		return p, nil
	}
	_, cmd := p.app.Update(msg)
	p.last = p.now()
	if rest := frameTime - p.last.Sub(p.drawn); rest > 0 && !p.due {
		p.due = true
		cmd = tea.Batch(cmd, tea.Tick(rest, func(time.Time) tea.Msg { return drawMsg{} }))
	}
	return p, tea.Batch(cmd, p.settle())
}

// settle begins a rest where no message came for a while, or asks again later.
func (p *paced) settle() tea.Cmd {
	if p.rest == nil || p.settling {
		return nil
	}
	left := settled - min(p.now().Sub(p.last), p.now().Sub(p.drawn)) // What was drawn is to be painted.
	if left <= 0 {
		return p.rest.begin()
	}
	p.settling = true
	return tea.Tick(left, func(time.Time) tea.Msg { return settledMsg{} })
}

// View implements tea.Model.
func (p *paced) View() tea.View {
	if !p.due && !p.same {
		p.view = p.app.View()
		p.drawn = p.now()
	}
	return p.view
}
