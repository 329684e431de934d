// Package ask has the screen on which a question is answered from the memory.
package ask

import (
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Register adds the screens of this package.
func Register(s *views.Screens) {
	s.Ask = func(e *views.Env, conversation int64) ui.Screen { return New(e, conversation) }
}
