package shell

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// level is one entry of the stack: the screen that is shown, and the screens that it
// took the place of, oldest first.
type level struct {
	screen ui.Screen
	trail  []visit
}

// visit is a screen that was left by SwitchMsg, and what brings it back to where it was.
type visit struct {
	screen  ui.Screen
	restore func() tea.Cmd // Nil for a screen that is no Placer.
}

// maxTrail is how many switches of one level can be gone back; older ones are forgotten.
const maxTrail = 100

// stack is the screens that are open. It is never empty. A screen that can't be returned to loses its jobs.
type stack struct {
	levels []*level
	jobs   *ui.Jobs
	// move runs before another screen comes on top.
	move func()
}

// top returns the screen that is shown.
func (s *stack) top() ui.Screen { return s.last().screen }

func (s *stack) last() *level { return s.levels[len(s.levels)-1] }

// push shows a screen above the top one.
func (s *stack) push(screen ui.Screen) tea.Cmd {
	s.move()
	s.levels = append(s.levels, &level{screen: screen})
	return screen.Init()
}

// pop leaves the top screen with its trail, unless it is the root.
func (s *stack) pop() tea.Cmd {
	left := s.top()
	cmd := s.shown(s.dropTo(max(1, len(s.levels)-1)))
	if l, ok := left.(ui.Leaver); ok && left != s.top() {
		return tea.Batch(cmd, l.Left())
	}
	return cmd
}

// home goes back to the root.
func (s *stack) home() tea.Cmd { return s.shown(s.dropTo(1)) }

// backTo drops the levels above the screen of m, and opens the next one in their place.
func (s *stack) backTo(m ui.BackToMsg) tea.Cmd {
	n := len(s.levels)
	for i, l := range s.levels {
		if l.screen == m.Screen {
			n = i + 1
		}
	}
	dropped := s.dropTo(n)
	if m.Next != nil {
		return s.push(m.Next)
	}
	return s.shown(dropped)
}

// dropTo takes all but the lowest n levels off the stack, cancels their jobs, and reports whether there
// were any.
func (s *stack) dropTo(n int) bool {
	dropped := s.levels[n:]
	if len(dropped) == 0 {
		return false
	}
	s.move()
	for _, l := range slices.Backward(dropped) {
		s.jobs.Cancel(l.screen)
	}
	s.levels = slices.Delete(s.levels, n, len(s.levels))
	return true
}

// shown tells the top screen that those above it are gone, if there were any.
func (s *stack) shown(dropped bool) tea.Cmd {
	if !dropped {
		return nil
	}
	return s.top().Update(ui.ShownMsg{})
}

// switchTo shows the screen of m in place of the top one and notes where that one was, so that back
// returns there.
func (s *stack) switchTo(m ui.SwitchMsg) tea.Cmd {
	l, v := s.last(), visit{screen: s.top()}
	if m.Once {
		l.trail = slices.DeleteFunc(l.trail, func(v visit) bool { return v.screen == m.Screen })
	}
	if p, ok := v.screen.(ui.Placer); ok {
		v.restore = p.Place()
	}
	if l.trail = append(l.trail, v); len(l.trail) > maxTrail {
		l.trail = l.trail[1:]
	}
	return s.show(m.Screen)
}

// show puts a screen on top in place of the screen there, whose jobs it cancels.
func (s *stack) show(screen ui.Screen) tea.Cmd {
	s.move()
	if old := s.top(); old != screen {
		s.jobs.Cancel(old)
	}
	s.last().screen = screen
	return screen.Init()
}

// back returns to the place that the top screen was switched from, or else to the screen
// below. It reports whether there was one: on the first screen there is none.
func (s *stack) back() (tea.Cmd, bool) {
	if s.isFirst() {
		return nil, false
	}
	l := s.last()
	n := len(l.trail)
	if n == 0 {
		return s.pop(), true
	}
	last := l.trail[n-1]
	l.trail = l.trail[:n-1]
	cmd := s.show(last.screen)
	if last.restore != nil {
		cmd = tea.Batch(cmd, last.restore())
	}
	return cmd, true
}

// isFirst reports whether there is nothing to go back to.
func (s *stack) isFirst() bool { return len(s.levels) == 1 && len(s.levels[0].trail) == 0 }

// screens returns the screen of each level, the root first.
func (s *stack) screens() []ui.Screen {
	out := make([]ui.Screen, len(s.levels))
	for i, l := range s.levels {
		out[i] = l.screen
	}
	return out
}

// reachable returns every screen that can be reached by going back, the top one first.
func (s *stack) reachable() (out []ui.Screen) {
	add := func(screen ui.Screen) {
		if !slices.Contains(out, screen) {
			out = append(out, screen)
		}
	}
	for _, l := range slices.Backward(s.levels) {
		add(l.screen)
		for _, v := range l.trail {
			add(v.screen)
		}
	}
	return out
}
