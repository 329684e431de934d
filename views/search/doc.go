// Package search has the search over the whole file and the walk along its hits.
package search

import (
	"lcm-tui/ui"
	"lcm-tui/ui/shell"
	"lcm-tui/views"
)

// Register adds the screens of this package.
func Register(s *views.Screens) {
	s.Global = func(e *views.Env, stack []ui.Screen) []shell.GlobalAction { return globalActions(e, stack) }
}
