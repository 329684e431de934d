package views

import "lcm-tui/ui"

// cleanRegister adds the screens of this package.
func cleanRegister(s *Screens) {
	s.Secrets, s.Space, s.Cleanings = ScreenOf(NewSecrets), ScreenOf(NewSpace), ScreenOf(NewCleanings)
	s.Trash = func(e *Env, name string) ui.Screen { return NewTrash(e, name) }
}
