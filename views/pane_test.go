package views

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// The keys and the mouse of list and text are the same on every screen.
func TestPanesAreAlike(t *testing.T) {
	t.Parallel()
	const back = "esc back to the list"
	for name, open := range map[string]func(d *driver) ui.Screen{
		"messages":  func(d *driver) ui.Screen { return d.open(2, tabMessages) },
		"summaries": func(d *driver) ui.Screen { return d.open(2, tabSummaries) },
		"context":   func(d *driver) ui.Screen { return d.open(2, tabContext) },
		"files":     func(d *driver) ui.Screen { return d.open(2, tabFiles) },
		"focus":     func(d *driver) ui.Screen { return d.open(2, tabFocus) },
		"history": func(d *driver) ui.Screen {
			d.review()
			d.press("a", "enter")
			d.send(ui.PushMsg{Screen: NewHistory(d.env)})
			return d.app.Top()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveDemo(t)
			v := open(d)
			before := d.screen(120, 10)
			d.press("J")
			if d.screen(120, 10) == before {
				t.Error("J does not scroll the text")
			}
			d.press("K")
			if got := d.screen(120, 10); got != before {
				t.Errorf("K does not scroll back:\n%s", got)
			}
			d.press("tab")
			d.sees(back)
			d.press("esc")
			d.misses(back)
			d.screen(120, 10)
			d.send(tea.MouseClickMsg{X: 100, Y: 7, Button: tea.MouseLeft})
			d.sees(back)
			if d.press("tab", "tab"); !strings.Contains(d.screen(80, 16), back) {
				t.Errorf("the text is no page:\n%s", d.screen(80, 16))
			}
			if d.press("esc"); d.app.Top() != v {
				t.Errorf("esc left for %T", d.app.Top())
			}
			d.misses(back)
		})
	}
}
