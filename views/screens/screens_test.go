package screens

import (
	"maps"
	"slices"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"lcm-tui/internal/testdb"
)

// TestEveryScreenInEveryTheme draws each screen and dialog at three sizes, on a dark and a light
// background and without colour. The text is the same in all of them; the golden has it once, and below each row
// a letter for the style of each character.
func TestEveryScreenInEveryTheme(t *testing.T) {
	t.Parallel()
	for i, name := range slices.Sorted(maps.Keys(everyScreen)) {
		if !testdb.Runs(i) {
			continue // TestEveryScreenAtEverySize opens each of them.
		}
		if slices.Contains([]string{"session files to import", "files to compare with", "differences", "rows that differ", "a question", "an error", "databases", "a bug report"}, name) {
			continue // They show the path of a temporary folder, or the system; some are tested in their packages.
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, name)
			everyScreen[name](d)
			golden.RequireEqual(t, d.DrawThemes())
		})
	}
}
