// Package health has what the doctor finds in a conversation or in the file, and the choice of what to repair.
package health

import (
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Register adds the screens of this package.
func Register(s *views.Screens) {
	s.Health, s.Tabs[views.TabHealth] = views.ScreenOf(NewHealth), NewHealthTab
	s.Repair = func(e *views.Env, from views.RepairPlace) ui.Screen { return NewRepairScope(e, from) }
}
