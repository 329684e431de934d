// Package home has the first screens: the conversations of the file, and what begins from their list – other databases, the
// session of a conversation, a transplant, settings – and the places and finds of the palette.
package home

import (
	"context"

	"lcm-tui/data/openclaw"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Register adds the screens of this package.
func Register(s *views.Screens) {
	s.First, s.Welcome = views.ScreenOf(NewConversations), func(e *views.Env, o views.Options) ui.Screen { return NewWelcome(e, o) }
	s.Choice = func(e *views.Env, found openclaw.Discovery) ui.Screen {
		first := NewDatabases(e)
		first.receive(found)
		return first
	}
	s.Commands = func(e *views.Env) []ui.Command { return commands(e) }
	s.Find = func(ctx context.Context, e *views.Env, query string) ([]ui.Command, error) {
		return findByQuery(ctx, e, query)
	}
}
