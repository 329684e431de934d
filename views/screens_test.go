package views

import (
	"fmt"
	"image/color"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
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
		if slices.Contains([]string{"session files to import", "files to compare with", "a question", "an error"}, name) {
			continue // They show the path of a temporary folder, or the system.
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, name)
			everyScreen[name](d)
			golden.RequireEqual(t, d.drawThemes())
		})
	}
}

// elapsed is how long a write took, which differs from run to run.
var elapsed = regexp.MustCompile(` in [0-9]+ ms`)

// drawThemes is the screen at 80×24, 120×36 and 200×50, with its styles in each theme.
func (d *driver) drawThemes() string {
	d.t.Helper()
	var out strings.Builder
	m := newStyleMap()
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		var drawn [3]string
		for i, th := range themes {
			d.send(tea.BackgroundColorMsg{Color: background(th.dark)})
			drawn[i] = elapsed.ReplaceAllString(d.raw(size[0], size[1]), " in 9 ms")
		}
		fmt.Fprintf(&out, "== %d × %d\n%s", size[0], size[1], m.add(d.t, drawn))
	}
	fmt.Fprintf(&out, "== styles\n%s\n", strings.Join(m.legend, "\n"))
	return out.String()
}

func background(dark bool) color.Color {
	if dark {
		return color.Black
	}
	return color.White
}
