package shell

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/parallel"
)

// Guarded is a model in which a panic ends the program as q does: the terminal is as it was
// before, and Panic gives the error.
type Guarded struct {
	model  tea.Model
	caught *parallel.PanicError
	quit   func() // Ends the program from a view, which can't.
}

// Guard makes a model guarded. The program that runs it calls Ends first.
func Guard(m tea.Model) *Guarded { return &Guarded{model: m, quit: func() {}} }

// Ends says how the program ends when a view panics.
func (g *Guarded) Ends(quit func()) { g.quit = quit }

// Panic returns the panic that ended the program, or nil.
func (g *Guarded) Panic() error {
	if g.caught == nil {
		return nil
	}
	return g.caught
}

// Init implements tea.Model.
func (g *Guarded) Init() (cmd tea.Cmd) {
	defer g.end(&cmd)
	return guardCommand(g.model.Init())
}

// Update implements tea.Model.
func (g *Guarded) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	if p, ok := msg.(*parallel.PanicError); ok && g.caught == nil {
		g.caught = p
	}
	if g.caught != nil {
		return g, tea.Quit
	}
	m = g
	defer g.end(&cmd)
	g.model, cmd = g.model.Update(msg)
	return g, guardCommand(cmd)
}

// View implements tea.Model.
func (g *Guarded) View() (v tea.View) {
	defer func() {
		if p := parallel.Caught(recover()); p != nil {
			g.caught, v = p, tea.NewView("")
			go g.quit() // Not here: the program waits for the view.
		}
	}()
	if g.caught != nil {
		return tea.NewView("")
	}
	return g.model.View()
}

// end ends the program where the caller panics.
func (g *Guarded) end(cmd *tea.Cmd) {
	if p := parallel.Caught(recover()); p != nil {
		g.caught, *cmd = p, tea.Quit
	}
}

// guardCommand returns a command whose panic is a message.
func guardCommand(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if p := parallel.Caught(recover()); p != nil {
				msg = p
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = guardCommand(c)
			}
		}
		return msg
	}
}
