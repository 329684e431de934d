package views

import (
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// transcriptsRegister adds the screens of this package.
func transcriptsRegister(s *Screens) {
	s.SessionFiles = ScreenOf(NewSessionFiles)
	s.Comparison = func(e *Env, conv lcm.Conversation) ui.Screen { return NewComparison(e, conv, "") }
	s.Export = func(e *Env, conv lcm.Conversation, title string) ui.Screen { return NewExport(e, conv, title) }
}
