// Package screens puts the screens of all packages together.
package screens

import (
	"lcm-tui/views"
	"lcm-tui/views/ask"
	"lcm-tui/views/clean"
	"lcm-tui/views/compare"
	"lcm-tui/views/conversation"
	"lcm-tui/views/fleet"
	"lcm-tui/views/health"
	"lcm-tui/views/home"
	"lcm-tui/views/memory"
	"lcm-tui/views/review"
	"lcm-tui/views/search"
	"lcm-tui/views/transcripts"
)

// All returns what makes every screen of the program.
func All() *views.Screens {
	s := &views.Screens{}
	for _, register := range []func(*views.Screens){
		home.Register, conversation.Register, search.Register, review.Register, health.Register, transcripts.Register, clean.Register, compare.Register, ask.Register, memory.Register, fleet.Register,
	} {
		register(s)
	}
	return s
}
