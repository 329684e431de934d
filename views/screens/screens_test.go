package screens

import (
	"maps"
	"slices"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views/viewtest"
)

// unlike are the screens that show the path of a temporary folder, or the system; some are drawn in their packages.
var unlike = []string{
	"session files to import", "files to compare with", "differences", "rows that differ", "a question", "an error", "databases", "a bug report",
}

// TestEveryScreen draws each screen and dialog at three sizes, on a dark and a light background and without colour. The
// text is the same in all of them; the golden has it once, and below each row a letter for the style of each
// character. Then every read of the screen fails.
func TestEveryScreen(t *testing.T) {
	t.Parallel()
	for _, name := range testlength.Some(slices.Sorted(maps.Keys(everyScreen))) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, name)
			everyScreen[name](d)
			if !slices.Contains(unlike, name) {
				golden.RequireEqual(t, d.DrawThemes())
			}
			comesToRest(t, d)
		})
	}
}

// comesToRest closes the database: a screen whose every read fails comes to rest, after a change of the file too,
// and takes keys.
func comesToRest(t *testing.T, d *viewtest.Driver) {
	t.Helper()
	d.Env.CheckRows = nil
	d.Closed = true
	must(t, d.Env.DB.Close())
	d.Send(ui.ChangedMsg{External: true})
	d.Press("down", "esc")
	d.Send(ui.HomeMsg{})
	d.Press("down", "up")
	d.Send(ui.ChangedMsg{})
}
