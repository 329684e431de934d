package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// level is one entry of the stack: the screen that is shown, and the screens that it
// took the place of, oldest first.
type level struct {
	screen Screen
	trail  []visit
}

// visit is a screen that was left by SwitchMsg, and what brings it back to where it was.
type visit struct {
	screen  Screen
	restore func() tea.Cmd // Nil for a screen that is no Placer.
}

// maxTrail is how many switches of one level can be gone back; older ones are forgotten.
const maxTrail = 100

func (a *App) push(s Screen) tea.Cmd {
	a.closeOverlay()
	a.stack = append(a.stack, &level{screen: s})
	return s.Init()
}

// pop leaves the top screen with its trail, unless it is the root.
func (a *App) pop() tea.Cmd {
	if len(a.stack) == 1 {
		return nil
	}
	a.drop()
	return a.top().Update(ShownMsg{})
}

// backTo drops the levels above the screen of m, and opens the next one in their place.
func (a *App) backTo(m BackToMsg) tea.Cmd {
	below := slices.ContainsFunc(a.stack, func(l *level) bool { return l.screen == m.Screen })
	dropped := false
	for below && a.top() != m.Screen {
		a.drop()
		dropped = true
	}
	switch {
	case m.Next != nil:
		return a.push(m.Next)
	case dropped:
		return a.top().Update(ShownMsg{})
	}
	return nil
}

// home goes back to the root.
func (a *App) home() tea.Cmd {
	if len(a.stack) == 1 {
		return nil
	}
	for len(a.stack) > 1 {
		a.drop()
	}
	return a.top().Update(ShownMsg{})
}

// drop takes the top level off the stack and cancels its jobs.
func (a *App) drop() {
	a.closeOverlay()
	a.jobs.Cancel(a.top())
	a.stack[len(a.stack)-1] = nil
	a.stack = a.stack[:len(a.stack)-1]
}

// switchTo shows s in place of the top screen and notes where that one was, so that back
// returns there.
func (a *App) switchTo(s Screen) tea.Cmd {
	l, v := a.stack[len(a.stack)-1], visit{screen: a.top()}
	if p, ok := v.screen.(Placer); ok {
		v.restore = p.Place()
	}
	if l.trail = append(l.trail, v); len(l.trail) > maxTrail {
		l.trail = l.trail[1:]
	}
	return a.show(s)
}

// show puts s on top in place of the screen there, whose jobs it cancels.
func (a *App) show(s Screen) tea.Cmd {
	a.closeOverlay()
	if old := a.top(); old != s {
		a.jobs.Cancel(old)
	}
	a.stack[len(a.stack)-1].screen = s
	return s.Init()
}

// back returns to the place that the top screen was switched from, or else to the screen
// below. It reports whether there was one: on the first screen there is none.
func (a *App) back() (tea.Cmd, bool) {
	l := a.stack[len(a.stack)-1]
	if n := len(l.trail); n > 0 {
		last := l.trail[n-1]
		l.trail = l.trail[:n-1]
		cmd := a.show(last.screen)
		if last.restore != nil {
			cmd = tea.Batch(cmd, last.restore())
		}
		return cmd, true
	}
	if len(a.stack) == 1 {
		return nil, false
	}
	return a.pop(), true
}

// changed has every screen of the stack reload. A screen of a trail reloads when it is shown.
func (a *App) changed(m ChangedMsg) tea.Cmd {
	if m.Note != "" {
		a.setStatus(status{text: m.Note, kind: Done, undo: m.Undo})
	}
	cmds := make([]tea.Cmd, 0, len(a.stack))
	for _, l := range a.stack {
		cmds = append(cmds, l.screen.Update(m))
	}
	return tea.Batch(cmds...)
}
