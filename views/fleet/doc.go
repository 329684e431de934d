// Package fleet has the screen of other machines: the copies of their databases, how old and how sound these are, and
// the plans that were sent home. It fetches copies and removes them; it must not write to a database.
package fleet

import (
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Register fills in the screen of this package.
func Register(s *views.Screens) {
	s.Fleet = func(e *views.Env) ui.Screen { return New(e) }
}
