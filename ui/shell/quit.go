package shell

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// escape runs the key esc: it cancels the visible job, or lets the screen use the key, or
// goes back. It never ends the program.
func (a *App) escape() tea.Cmd {
	if r := a.jobs.Visible(a.Top()); r != nil && !r.Stopping {
		r.Stop()
		a.closedByThisKey = true
		return nil
	}
	if a.screenEscape() {
		return nil
	}
	cmd, ok := a.stack.back()
	if !ok {
		a.status.say(status{text: "this is the first screen: " + a.keys.Quit.Help().Key + " quits"})
	}
	return cmd
}

// screenEscape lets the top screen use esc, and reports whether it had a use for it.
func (a *App) screenEscape() bool {
	e, ok := a.Top().(ui.Escaper)
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
	case !a.stack.isFirst():
		return a.escape()
	case a.screenEscape():
		return nil
	case a.closedByLastKey:
		a.status.say(status{text: a.keys.Quit.Help().Key + " again quits"})
		return nil
	}
	return a.askQuit("Quit lcm-tui?", "quit", a.quit)
}

// askQuit ends the program by quit: at once where nothing is lost by that, and else after a
// yes. verb is what y does.
func (a *App) askQuit(question, verb string, quit func() tea.Cmd) tea.Cmd {
	lost := a.lostByQuit()
	if len(lost) == 0 {
		return quit()
	}
	a.overlays.open = newQuestion(a.styles, question, strings.Join(lost, "\n"), verb, quit)
	return nil
}

// askRestart ends the program for the sake of a new one, as askQuit does.
func (a *App) askRestart(m ui.RestartMsg) tea.Cmd {
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
	for _, r := range a.jobs.Unfinished() {
		text := ui.Line(r.Name) + " is running"
		if r.Total > 0 {
			text += fmt.Sprintf(" (%s of %s)", ui.Num(int64(r.Done)), ui.Num(int64(r.Total)))
		}
		out = append(out, text+": quitting cancels it.")
	}
	for _, s := range a.stack.reachable() {
		if u, ok := s.(ui.Unsaver); ok && u.Unsaved() != "" {
			out = append(out, ui.Line(u.Unsaved()))
		}
	}
	if a.cfg.Unsaved != nil && a.cfg.Unsaved() != "" {
		out = append(out, ui.Line(a.cfg.Unsaved()))
	}
	return out
}

// quit cancels the jobs and leaves when they have ended. A second time it does
// not wait.
func (a *App) quit() tea.Cmd {
	if a.quitting {
		return tea.Quit
	}
	a.overlays.close()
	a.quitting = true
	a.jobs.CancelAll()
	return func() tea.Msg {
		a.jobs.Close()
		return tea.QuitMsg{}
	}
}
