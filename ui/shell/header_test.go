package shell

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// TestABreadcrumbKeepsItsSigns: where there is little room the name of a conversation is cut, not the place in it.
func TestABreadcrumbKeepsItsSigns(t *testing.T) {
	t.Parallel()
	s := ui.NewStyles(true)
	titles := []string{"demo", "agent:main:discord:channel:9 #5 › Summaries"}
	for width, want := range map[int]string{
		60: "demo › agent:main:discord:channel:9 #5 › Summaries",
		40: "… › agent:main:disco…el:9 #5 › Summaries",
		20: "… › ag…5 › Summaries",
	} {
		got := ansi.Strip(crumbs(&s, titles, width))
		if got != want || ansi.StringWidth(got) > width || !strings.HasSuffix(got, " › Summaries") {
			t.Errorf("in %d cells: %q", width, got)
		}
	}
}
