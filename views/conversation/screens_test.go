package conversation

import (
	"lcm-tui/views/clean"
	"lcm-tui/views/compare"
	"lcm-tui/views/health"
	"lcm-tui/views/home"
	"lcm-tui/views/review"
	"lcm-tui/views/search"
	"lcm-tui/views/transcripts"
	"lcm-tui/views/viewtest"
)

func init() {
	viewtest.Use(Register, clean.Register, compare.Register, health.Register, home.Register, review.Register, search.Register, transcripts.Register)
}
