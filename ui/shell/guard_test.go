package shell

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/parallel"
)

// faulty is a model that panics at one place.
type faulty struct{ at string }

type goMsg struct{}

func (f *faulty) fall(at string) {
	if f.at == at {
		panic("fell in " + at)
	}
}

func (f *faulty) Init() tea.Cmd {
	f.fall("init")
	return func() tea.Msg { return goMsg{} }
}

func (f *faulty) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(goMsg); !ok {
		return f, nil
	}
	f.fall("update")
	command := func() tea.Msg { f.fall("command"); return nil }
	batched := func() tea.Msg { f.fall("batched"); return nil }
	return f, tea.Batch(command, batched)
}

func (f *faulty) View() tea.View {
	f.fall("view")
	v := tea.NewView("all is well")
	v.AltScreen = true
	return v
}

// TestAPanicEndsTheProgramInOrder: the terminal leaves the alternate screen, nothing is
// printed over it, and the error is the panic.
func TestAPanicEndsTheProgramInOrder(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"init", "update", "view", "command", "batched"} {
		var out bytes.Buffer
		g := Guard(&faulty{at: at})
		p := tea.NewProgram(g, tea.WithInput(strings.NewReader("")), tea.WithOutput(&out), tea.WithoutSignals(), tea.WithWindowSize(40, 10))
		g.Ends(p.Quit)
		_, err := p.Run()
		var caught *parallel.PanicError
		if err != nil || !errors.As(g.Panic(), &caught) || caught.Value != "fell in "+at {
			t.Errorf("in %s: %v, %v", at, err, g.Panic())
		}
		if s := out.String(); strings.Contains(s, "goroutine") || strings.LastIndex(s, "\x1b[?1049l") < strings.LastIndex(s, "\x1b[?1049h") {
			t.Errorf("in %s: %q", at, s)
		}
	}
}
