package views

import (
	"context"

	"lcm-tui/data/openclaw"
	"lcm-tui/ui"
)

// homeRegister adds the screens of this package.
func homeRegister(s *Screens) {
	s.First, s.Welcome = ScreenOf(NewConversations), func(e *Env, o Options) ui.Screen { return NewWelcome(e, o) }
	s.Choice = func(e *Env, found openclaw.Discovery) ui.Screen {
		first := NewDatabases(e)
		first.receive(found)
		return first
	}
	s.Commands = func(e *Env) []ui.Command { return e.commands() }
	s.Find = func(ctx context.Context, e *Env, query string) ([]ui.Command, error) { return e.find(ctx, query) }
}
