package ui

import (
	"bytes"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/teatest/v2"
)

func TestProgramInATerminal(t *testing.T) {
	t.Parallel()
	jobs, l := NewJobs(t.Context()), thingList(200)
	p := &listPage{page{title: "things"}, l}
	tm := teatest.NewTestModel(t, New(Config{First: p, Jobs: jobs}),
		teatest.WithInitialTermSize(80, 24), teatest.WithProgramOptions(tea.WithFilter(DropMouseMotion)))
	see := func(what string) {
		t.Helper()
		teatest.WaitFor(t, tm.Output(), func(out []byte) bool {
			return bytes.Contains(out, []byte(what))
		}, teatest.WithDuration(15*time.Second))
	}
	see("thing 00003 pear")
	tm.Send(Press("?"))
	see("quit from anywhere")
	tm.Send(Press("esc"))
	tm.Send(Press("G"))
	see("thing 00199 pear")
	tm.Send(Press("q"))
	tm.WaitFinished(t, teatest.WithFinalTimeout(15*time.Second))
}
