package views

import (
	"context"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/ui"
)

// Models is the model in force, and those that can be chosen in its place.
type Models struct {
	InForce choose.Resolved
	// Err is why the model in force can't be asked; nil if it can.
	Err error
	// Fallbacks are asked in turn where the model in force fails.
	Fallbacks  []string
	Candidates []choose.Candidate
	// Settings are those of the model in force and of where the files are, for showing them.
	Settings []settings.Setting
}

// modelState is what the screens know of the model. It owns the job that finds the models,
// so that the answer arrives whatever screen is shown by then.
type modelState struct {
	Chosen atomic.Pointer[choose.Choice] // On the screen, for this run of the program; nil is nothing.
	models *Models                       // Nil until they were found.
}

// ChosenHere is the source of a model that was chosen on the screen.
const ChosenHere = "chosen for this run"

type modelsMsg struct{ models Models }

// Update takes the models that were found.
func (s *modelState) Update(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(modelsMsg); ok {
		s.models = &m.models
	}
	return nil
}

// ChosenModel returns the model that was chosen on the screen, else the one that the
// command line chose; a zero choice is none. Jobs may call it.
func (m *models) ChosenModel() choose.Choice {
	if c := m.ModelState.Chosen.Load(); c != nil {
		return *c
	}
	return m.Model
}

// FindModels starts the job that finds the model in force. It reads configuration files,
// so a screen that shows the model starts it when it opens.
func (e *Env) FindModels() tea.Cmd {
	if e.Models == nil {
		return nil
	}
	return e.Jobs.Quiet(&e.ModelState, "models", Read(findModelsOf(e)))
}

// findModelsOf returns the work of finding the models under the present choice.
func findModelsOf(e *Env) func(context.Context) (modelsMsg, error) {
	find, chosen := e.Models, e.ChosenModel()
	return func(context.Context) (modelsMsg, error) { return modelsMsg{find(chosen)}, nil }
}

// UseModel sets the model for this run of the program.
func (e *Env) UseModel(c choose.Choice) tea.Cmd {
	e.ModelState.Chosen.Store(&c)
	return e.FindModels()
}

// UseConfiguredModel leaves the model to command line, environment and configuration again.
func (e *Env) UseConfiguredModel() tea.Cmd {
	e.ModelState.Chosen.Store(nil)
	return e.FindModels()
}

// KnownModels returns the model in force and the others, or nil while they are being looked for.
func (m *models) KnownModels() *Models { return m.ModelState.models }

// ModelUnchosen reports whether nobody chose a model, so that no text of one may be written. It
// is false while the model isn't known.
func (m *models) ModelUnchosen() bool {
	found := m.ModelState.models
	return m.Models != nil && found != nil && found.InForce.From == settings.FromDefault && m.ModelState.Chosen.Load() == nil
}

// ModelLine names the model in force in one line: its name, its key's state and where it
// is named. It shows on every screen from which a model may be asked.
func (e *Env) ModelLine(width int) string { return e.modelLine(width, "M chooses one") }

// modelLine returns ModelLine where something else than a key leads to the models: way says what.
func (e *Env) modelLine(width int, way string) string {
	s := e.Styles
	switch {
	case e.Models == nil:
		return s.Muted.Render(ui.Cut("no model is set up", width))
	case e.ModelState.models == nil:
		return s.Muted.Render(ui.Cut("looking for the model", width))
	}
	m := e.ModelState.models
	parts := []string{ui.Line(m.InForce.Name()), keyText(s, m.InForce)}
	if m.Err != nil && m.InForce.KeyState() != choose.KeyMissing && m.InForce.KeyState() != choose.KeyWithheld {
		parts = []string{ui.Line(m.InForce.Name()), s.Bad.Render("! " + ui.Line(m.Err.Error()))}
	}
	if e.ModelUnchosen() { // What it costs matters less than that its texts aren't written.
		return ui.Cut(parts[0]+s.Muted.Render(", built in · ")+s.Warn.Render("no model is chosen: "+way), width)
	}
	parts = append(parts, s.Muted.Render(e.modelSource(m.InForce)))
	return ui.Cut(strings.Join(parts, s.Muted.Render(" · ")), width)
}

// modelSource says who named the model in force.
func (m *models) modelSource(r choose.Resolved) string {
	switch from := FirstNonEmpty(r.ModelFrom, r.From); {
	case m.ModelState.Chosen.Load() != nil:
		return ChosenHere
	case from == "flag" || r.From == "flag":
		return "from the command line"
	default:
		return "from " + ui.Line(r.From)
	}
}

// keyText says whether the key of a model is there, never what it is.
func keyText(s *ui.Styles, r choose.Resolved) string {
	switch r.KeyState() {
	case choose.KeySet:
		return s.Good.Render("key set") + s.Muted.Render(" ("+ui.Line(r.KeyFrom)+")")
	case choose.KeyOptional:
		return s.Muted.Render("no key, none may be needed")
	case choose.KeyMissing:
		if len(r.SignInProblems) > 0 {
			return s.Bad.Render("! no key") + s.Muted.Render(" ("+ui.Line(r.SignInProblems[0])+")")
		}
		return s.Bad.Render("! no key") + s.Muted.Render(" (set "+ui.Line(lastOf(r.KeyNames))+")")
	case choose.KeyWithheld:
		return s.Bad.Render("! no key for this address") + s.Muted.Render(" ("+ui.Line(r.Withheld)+" is for another)")
	}
	if r.Free() {
		return s.Muted.Render("built in, costs nothing")
	}
	return s.Muted.Render("a program on this machine, needs no key here")
}

func lastOf(names []string) string {
	if len(names) == 0 {
		return "its key"
	}
	return names[len(names)-1]
}
