package ask_test

import (
	"lcm-tui/views/ask"
	"lcm-tui/views/clean"
	"lcm-tui/views/compare"
	"lcm-tui/views/conversation"
	"lcm-tui/views/health"
	"lcm-tui/views/home"
	"lcm-tui/views/review"
	"lcm-tui/views/search"
	"lcm-tui/views/transcripts"
	"lcm-tui/views/viewtest"
)

func init() {
	viewtest.Use(ask.Register, search.Register, clean.Register, compare.Register, conversation.Register, health.Register, home.Register, review.Register, transcripts.Register)
}
