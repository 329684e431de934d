package home

import (
	"lcm-tui/views/clean"
	"lcm-tui/views/compare"
	"lcm-tui/views/conversation"
	"lcm-tui/views/fleet"
	"lcm-tui/views/health"
	"lcm-tui/views/review"
	"lcm-tui/views/search"
	"lcm-tui/views/transcripts"
	"lcm-tui/views/viewtest"
)

func init() {
	viewtest.Use(Register, clean.Register, compare.Register, conversation.Register, fleet.Register, health.Register, review.Register, search.Register, transcripts.Register)
}
