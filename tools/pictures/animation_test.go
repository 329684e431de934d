package main

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"lcm-tui/internal/terminal"
)

// TestAnimatedSVG: two frames share their first row, which is written once.
func TestAnimatedSVG(t *testing.T) {
	t.Parallel()
	screen := func(last string) terminal.Screen {
		return terminal.Screen{pad(text("the same row", terminal.Cell{}), 14), pad(text(last, terminal.Cell{}), 14)}
	}
	got := animatedSVG([]frame{
		{screen("before"), "", "the start", time.Second},
		{screen("after"), "a", "apply <it>", 3 * time.Second},
		{screen("before"), "u", "undo", time.Second},
	}, "a recording")
	golden.RequireEqual(t, got)
	wellFormed(t, got)
	if n := strings.Count(got, "the same row"); n != 1 {
		t.Errorf("the row that never changes is written %d times", n)
	}
	if n := strings.Count(got, ">before<"); n != 1 {
		t.Errorf("the row that comes back is written %d times", n)
	}
}
