package views

import "lcm-tui/ui"

// searchRegister adds the screens of this package.
func searchRegister(s *Screens) {
	s.Global = func(e *Env, stack []ui.Screen) []ui.GlobalAction { return e.globalActions(stack) }
}
