package shell

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/teatest/v2"

	"lcm-tui/ui"
)

func TestProgramInATerminal(t *testing.T) {
	t.Parallel()
	jobs, l := ui.NewJobs(t.Context()), nameList(200)
	p := &listPage{page{title: "things"}, l}
	tm := teatest.NewTestModel(t, New(Config{First: p, Jobs: jobs}),
		teatest.WithInitialTermSize(80, 24), teatest.WithProgramOptions(tea.WithFilter(DropMouseMotion)))
	see := func(what string) {
		t.Helper()
		teatest.WaitFor(t, tm.Output(), func(out []byte) bool {
			return bytes.Contains(out, []byte(what))
		}, teatest.WithDuration(15*time.Second))
	}
	see("thing 00003")
	tm.Send(ui.Press("?"))
	see("quit from anywhere")
	tm.Send(ui.Press("esc"))
	tm.Send(ui.Press("G"))
	see("thing 00199")
	tm.Send(ui.Press("q"))
	tm.WaitFinished(t, teatest.WithFinalTimeout(15*time.Second))
}

func BenchmarkAppView(b *testing.B) {
	l := nameList(10_000)
	a := New(Config{First: &listPage{page{title: "list"}, l}})
	a.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	for b.Loop() {
		a.Update(ui.Press("down"))
		_ = a.View()
	}
}

type listPage struct {
	page
	list *ui.List[string]
}

func (p *listPage) Actions() []ui.Action       { return p.list.Actions() }
func (p *listPage) Update(msg tea.Msg) tea.Cmd { return p.list.Update(msg) }
func (p *listPage) View(w, h int) string       { return p.list.View(w, h) }

// nameList returns a list of so many names.
func nameList(n int) *ui.List[string] {
	s, names := ui.NewStyles(true), make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("thing %05d", i)
	}
	name := func(item string) string { return item }
	l := ui.NewList(&s, name, func(item string, width int, _ bool) string { return ui.Pad(item, width) }, name)
	l.SetItems(names)
	return l
}
