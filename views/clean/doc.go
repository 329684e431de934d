// Package clean has what fills the file and what can go: space, trash and secrets.
package clean

import (
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Register adds the screens of this package.
func Register(s *views.Screens) {
	s.Secrets, s.Space, s.Cleanings = views.ScreenOf(NewSecrets), views.ScreenOf(NewSpace), views.ScreenOf(NewCleanings)
	s.Trash = func(e *views.Env, name string) ui.Screen { return NewTrash(e, name) }
}
