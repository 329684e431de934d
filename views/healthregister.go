package views

import "lcm-tui/ui"

// healthRegister adds the screens of this package.
func healthRegister(s *Screens) {
	s.Health, s.Tabs[tabHealth] = ScreenOf(NewHealth), NewHealthTab
	s.Repair = func(e *Env, from repairPlace) ui.Screen { return NewRepairScope(e, from) }
}
