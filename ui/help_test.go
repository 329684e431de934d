package ui

import (
	"strings"
	"testing"
)

// TestHelpNamesAGroupOnce: a key that two groups share stands in the first one, and no group
// stands there twice or without keys.
func TestHelpNamesAGroupOnce(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	blocks := helpBlocks(&s, []Action{
		Act("enter", "⏎", "go there").In("Look"),
		Act("ctrl+r", "ctrl+r", "regex").In("Find"),
		Act("enter", "⏎", "go there").In("Other"),
		Act("enter", "⏎", "go there").In(Typing),
		Act("ctrl+r", "ctrl+r", "regex").In(Typing),
		Act("tab", "tab", "to the list").In(Typing),
	}, 40)
	if got := strings.Count(strings.Join(blocks, "\n"), Typing); got != 1 || len(blocks) != 3 {
		t.Errorf("%d blocks, %d of them named %s:\n%s", len(blocks), got, Typing, strings.Join(blocks, "\n"))
	}
}
