package search

import (
	"lcm-tui/views/clean"
	"lcm-tui/views/compare"
	"lcm-tui/views/conversation"
	"lcm-tui/views/health"
	"lcm-tui/views/home"
	"lcm-tui/views/review"
	"lcm-tui/views/transcripts"
	"lcm-tui/views/viewtest"
)

func init() {
	viewtest.Use(Register, clean.Register, compare.Register, conversation.Register, health.Register, home.Register, review.Register, transcripts.Register)
}
