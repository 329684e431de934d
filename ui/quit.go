package ui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Unsaver is a screen that may hold work that is lost when the program ends, such as
// texts of a model that nobody applied yet. Unsaved says what it is, in a sentence, or is
// empty. The shell asks before it quits.
type Unsaver interface{ Unsaved() string }

// escape runs the key esc: it cancels the visible job, or lets the screen use the key, or
// goes back. It never ends the program.
func (a *App) escape() tea.Cmd {
	if r := a.jobs.visible(a.top()); r != nil && !r.stopping {
		r.stopping = true
		r.cancel()
		a.closedByThisKey = true
		return nil
	}
	if a.screenEscape() {
		return nil
	}
	cmd, ok := a.back()
	if !ok {
		a.setStatus(status{text: "this is the first screen: q quits"})
	}
	return cmd
}

// screenEscape lets the top screen use esc, and reports whether it had a use for it.
func (a *App) screenEscape() bool {
	e, ok := a.top().(Escaper)
	if !ok || !e.Escape() {
		return false
	}
	a.closedByThisKey = true
	return true
}

// leave runs the key q: it works as esc, but on the first screen it quits. The press right after
// one that closed something (help, a filter, a job) may have been meant for that, and
// doesn't quit.
func (a *App) leave() tea.Cmd {
	switch {
	case !a.isFirst():
		return a.escape()
	case a.screenEscape():
		return nil
	case a.closedByLastKey:
		a.setStatus(status{text: "q again quits"})
		return nil
	}
	return a.askQuit("Quit lcm-tui?", "quit", a.quit)
}

// isFirst reports whether there is nothing to go back to.
func (a *App) isFirst() bool { return len(a.stack) == 1 && len(a.stack[0].trail) == 0 }

// askQuit ends the program by quit: at once where nothing is lost by that, and else after a
// yes. verb is what y does.
func (a *App) askQuit(question, verb string, quit func() tea.Cmd) tea.Cmd {
	lost := a.lostByQuit()
	if len(lost) == 0 {
		return quit()
	}
	a.overlay = newQuestion(a.styles, question, strings.Join(lost, "\n"), verb, quit)
	return nil
}

// askRestart ends the program for the sake of a new one, as askQuit does.
func (a *App) askRestart(m RestartMsg) tea.Cmd {
	return a.askQuit(cmp.Or(m.Question, "Open it again?"), cmp.Or(m.Verb, "open again"), func() tea.Cmd {
		if m.Before != nil {
			m.Before()
		}
		a.restart = true
		return a.quit()
	})
}

// lostByQuit returns what ends or is lost with the program, a sentence each.
func (a *App) lostByQuit() (out []string) {
	for _, r := range a.jobs.unfinished() {
		text := Line(r.slot.name) + " is running"
		if r.total > 0 {
			text += fmt.Sprintf(" (%s of %s)", Num(int64(r.done)), Num(int64(r.total)))
		}
		out = append(out, text+": quitting cancels it.")
	}
	for _, s := range a.screens() {
		if u, ok := s.(Unsaver); ok && u.Unsaved() != "" {
			out = append(out, Line(u.Unsaved()))
		}
	}
	if a.cfg.Unsaved != nil && a.cfg.Unsaved() != "" {
		out = append(out, Line(a.cfg.Unsaved()))
	}
	return out
}

// screens returns every screen that can be reached by going back, the top one first.
func (a *App) screens() (out []Screen) {
	seen := map[Screen]bool{}
	add := func(s Screen) {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	for i := len(a.stack) - 1; i >= 0; i-- {
		add(a.stack[i].screen)
		for _, v := range a.stack[i].trail {
			add(v.screen)
		}
	}
	return out
}

// quit cancels the jobs and leaves when they have ended. A second time it does
// not wait.
func (a *App) quit() tea.Cmd {
	if a.quitting {
		return tea.Quit
	}
	a.closeOverlay()
	a.quitting = true
	a.jobs.cancel()
	return func() tea.Msg {
		a.jobs.Close()
		return tea.QuitMsg{}
	}
}
