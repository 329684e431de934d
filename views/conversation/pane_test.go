package conversation

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/review"
	"lcm-tui/views/viewtest"
)

// The keys and the mouse of list and text are the same on every screen.
func TestPanesAreAlike(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const back = "esc back to the list"
	for name, open := range map[string]func(d *viewtest.Driver) ui.Screen{
		"messages":  func(d *viewtest.Driver) ui.Screen { return d.Open(2, views.TabMessages) },
		"summaries": func(d *viewtest.Driver) ui.Screen { return d.Open(2, views.TabSummaries) },
		"context":   func(d *viewtest.Driver) ui.Screen { return d.Open(2, views.TabContext) },
		"files":     func(d *viewtest.Driver) ui.Screen { return d.Open(2, views.TabFiles) },
		"focus":     func(d *viewtest.Driver) ui.Screen { return d.Open(2, views.TabFocus) },
		"history": func(d *viewtest.Driver) ui.Screen {
			d.OpenReview()
			d.Press("a", "enter")
			d.Send(ui.PushMsg{Screen: review.NewHistory(d.Env)})
			return d.App.Top()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveDemo(t)
			v := open(d)
			before := d.Screen(120, 10)
			d.Press("J")
			if d.Screen(120, 10) == before {
				t.Error("J does not scroll the text")
			}
			d.Press("K")
			if got := d.Screen(120, 10); got != before {
				t.Errorf("K does not scroll back:\n%s", got)
			}
			d.Press("tab")
			d.Sees(back)
			d.Press("esc")
			d.Misses(back)
			d.Screen(120, 10)
			d.Send(tea.MouseClickMsg{X: 100, Y: 7, Button: tea.MouseLeft})
			d.Sees(back)
			if d.Press("tab", "tab"); !strings.Contains(d.Screen(80, 16), back) {
				t.Errorf("the text is no page:\n%s", d.Screen(80, 16))
			}
			if d.Press("esc"); d.App.Top() != v {
				t.Errorf("esc left for %T", d.App.Top())
			}
			d.Misses(back)
		})
	}
}

// TestPaneZoom: + and _ give the text more and less room, beside the list and where list and
// text take turns, and the next screen keeps it.
func TestPaneZoom(t *testing.T) {
	t.Parallel()
	const back = "esc back to the list"
	textWidth := func(d *viewtest.Driver, width int) int {
		d.Screen(width, 30)
		return d.App.Top().(*Summaries).Rendered.Width
	}
	t.Run("wide", func(t *testing.T) {
		t.Parallel()
		d := viewtest.DriveDemo(t)
		d.Open(2, views.TabSummaries)
		shared := textWidth(d, 120)
		d.Press("+")
		large := textWidth(d, 120)
		d.Press("+")
		alone := textWidth(d, 120)
		if shared >= large || large >= alone || alone < 115 {
			t.Errorf("the text has %d, %d and %d cells", shared, large, alone)
		}
		d.Sees(back)
		d.Misses("█ in context") // The picture of coverage gives its lines to the text.
		d.Press("+")
		d.Sees("the text has all the room")
		d.Press("esc")
		d.Misses(back)
		if got := textWidth(d, 120); got != large {
			t.Errorf("beside the list the text has %d cells, not %d", got, large)
		}
		d.Press("3")
		if v := d.App.Top().(*Context); v.ListShare() >= v.Share {
			t.Error("the next screen has forgotten it")
		}
		d.Press("esc", "_", "_")
		if got := textWidth(d, 120); got != shared {
			t.Errorf("at the end the text has %d cells, not %d", got, shared)
		}
		d.Press("_")
		d.Sees("the list has its full share")
	})
	t.Run("narrow", func(t *testing.T) {
		t.Parallel()
		d := viewtest.DriveDemo(t)
		d.Open(2, views.TabMessages)
		d.Screen(80, 24)
		d.Press("+")
		page := d.Screen(80, 24)
		d.Press("+")
		alone := d.Screen(80, 24)
		if place := "seq 652 of 652"; !strings.Contains(page, place) || strings.Contains(alone, place) {
			t.Errorf("the page and the text alone are\n%s\n%s", page, alone)
		}
		d.Press("_", "_")
		if got := d.Screen(80, 24); strings.Contains(got, back) {
			t.Errorf("the list is not back:\n%s", got)
		}
	})
}
