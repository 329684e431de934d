package ui

import tea "charm.land/bubbletea/v2"

func (a *App) push(s Screen) tea.Cmd {
	a.over = nil
	a.stack = append(a.stack, s)
	return s.Init()
}

// pop leaves the top screen, unless it is the root.
func (a *App) pop() tea.Cmd {
	if len(a.stack) == 1 {
		return nil
	}
	a.over = nil
	a.jobs.Cancel(a.top())
	a.stack[len(a.stack)-1] = nil
	a.stack = a.stack[:len(a.stack)-1]
	return a.top().Update(ShownMsg{})
}

func (a *App) replace(s Screen) tea.Cmd {
	a.over = nil
	if old := a.top(); old != s {
		a.jobs.Cancel(old)
	}
	a.stack[len(a.stack)-1] = s
	return s.Init()
}

// back leaves the top screen, and at the root the program.
func (a *App) back() tea.Cmd {
	if len(a.stack) == 1 {
		return a.quit()
	}
	return a.pop()
}

// quit cancels the jobs and leaves when they have ended. A second time it does
// not wait.
func (a *App) quit() tea.Cmd {
	if a.quitting {
		return tea.Quit
	}
	a.quitting = true
	a.jobs.cancel()
	return func() tea.Msg {
		a.jobs.Close()
		return tea.QuitMsg{}
	}
}

// changed has every screen reload, those below the top one too.
func (a *App) changed(m ChangedMsg) tea.Cmd {
	if m.Note != "" {
		a.say(status{text: m.Note, kind: Done, undo: m.Undo})
	}
	cmds := make([]tea.Cmd, 0, len(a.stack))
	for _, s := range a.stack {
		cmds = append(cmds, s.Update(m))
	}
	return tea.Batch(cmds...)
}
