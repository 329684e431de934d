package fleet

import (
	"lcm-tui/views/conversation"
	"lcm-tui/views/health"
	"lcm-tui/views/home"
	"lcm-tui/views/review"
	"lcm-tui/views/search"
	"lcm-tui/views/viewtest"
)

func init() {
	viewtest.Use(Register, conversation.Register, health.Register, home.Register, review.Register, search.Register)
}
