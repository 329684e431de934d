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
			d.openReview()
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

// TestPaneZoom: + and _ give the text more and less room, beside the list and where list and
// text take turns, and the next screen keeps it.
func TestPaneZoom(t *testing.T) {
	t.Parallel()
	const back = "esc back to the list"
	textWidth := func(d *driver, width int) int {
		d.screen(width, 30)
		return d.app.Top().(*Summaries).rendered.width
	}
	t.Run("wide", func(t *testing.T) {
		t.Parallel()
		d := driveDemo(t)
		d.open(2, tabSummaries)
		shared := textWidth(d, 120)
		d.press("+")
		large := textWidth(d, 120)
		d.press("+")
		alone := textWidth(d, 120)
		if shared >= large || large >= alone || alone < 115 {
			t.Errorf("the text has %d, %d and %d cells", shared, large, alone)
		}
		d.sees(back)
		d.misses("█ in context") // The picture of coverage gives its lines to the text.
		d.press("+")
		d.sees("more room for the text: the text has all the room")
		d.press("esc")
		d.misses(back)
		if got := textWidth(d, 120); got != large {
			t.Errorf("beside the list the text has %d cells, not %d", got, large)
		}
		d.press("3")
		if v := d.app.Top().(*Context); v.listShare() >= v.share {
			t.Error("the next screen has forgotten it")
		}
		d.press("esc", "_", "_")
		if got := textWidth(d, 120); got != shared {
			t.Errorf("at the end the text has %d cells, not %d", got, shared)
		}
		d.press("_")
		d.sees("less room for the text: the list has its full share")
	})
	t.Run("narrow", func(t *testing.T) {
		t.Parallel()
		d := driveDemo(t)
		d.open(2, tabHealth)
		d.screen(80, 24)
		d.press("+")
		page := d.screen(80, 24)
		d.press("+")
		alone := d.screen(80, 24)
		if !strings.Contains(page, "╭") || strings.Contains(alone, "╭") {
			t.Errorf("the page and the text alone are\n%s\n%s", page, alone)
		}
		d.press("_", "_")
		if got := d.screen(80, 24); strings.Contains(got, back) {
			t.Errorf("the list is not back:\n%s", got)
		}
	})
}
