package shell

import (
	"strings"
	"testing"

	"lcm-tui/ui"
)

// TestHelpNamesAGroupOnce: a key that two groups share stands in the first one, and no group
// stands there twice or without keys.
func TestHelpNamesAGroupOnce(t *testing.T) {
	t.Parallel()
	s := ui.NewStyles(true)
	blocks := helpBlocks(&s, []ui.Action{
		ui.Act("enter", "⏎", "go there").In("Look"),
		ui.Act("ctrl+r", "ctrl+r", "regex").In("Find"),
		ui.Act("enter", "⏎", "go there").In("Other"),
		ui.Act("enter", "⏎", "go there").In(ui.Typing),
		ui.Act("ctrl+r", "ctrl+r", "regex").In(ui.Typing),
		ui.Act("tab", "tab", "to the list").In(ui.Typing),
	}, 40)
	if got := strings.Count(strings.Join(blocks, "\n"), ui.Typing); got != 1 || len(blocks) != 3 {
		t.Errorf("%d blocks, %d of them named %s:\n%s", len(blocks), got, ui.Typing, strings.Join(blocks, "\n"))
	}
}
