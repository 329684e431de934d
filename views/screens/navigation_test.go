package screens

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestReferenceKeys: keys of the reference program lead where they lead there, where they
// are free here.
func TestReferenceKeys(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Long(t, 20))
	for _, c := range []struct {
		from int
		key  string
		want int
	}{
		{views.TabMessages, "l", views.TabSummaries},
		{views.TabContext, "l", views.TabSummaries},
		{views.TabMessages, "o", views.TabFocus},
		{views.TabSummaries, "o", views.TabFocus},
	} {
		v := d.Open(1, c.from)
		d.Press(c.key)
		if !strings.HasSuffix(d.App.Top().Title(), "› "+views.TabNames[c.want]) {
			t.Errorf("%s on %s leads to %s", c.key, v.Title(), d.App.Top().Title())
		}
		if d.Press("b"); d.App.Top() != v {
			t.Errorf("b doesn't lead back from %s", views.TabNames[c.want])
		}
		if d.Press("backspace"); d.App.Depth() != 1 {
			t.Errorf("backspace doesn't lead back from %s", views.TabNames[c.from])
		}
	}
}

// TestTabsTakeOneStepBack: who goes through tabs by their keys, or by clicks, goes back from each of them once.
func TestTabsTakeOneStepBack(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Screen(120, 30)
	d.Press("s", "1", "2", "]", "[", "1", "2", "o", "1")
	d.Send(tea.MouseClickMsg{X: 2, Y: 1, Button: tea.MouseLeft}, tea.MouseClickMsg{X: 20, Y: 1, Button: tea.MouseLeft})
	for _, want := range []int{views.TabSummaries, views.TabMessages, views.TabFocus, views.TabContext} {
		if !strings.HasSuffix(d.App.Top().Title(), "› "+views.TabNames[want]) {
			t.Errorf("%s is shown, wanted %s", d.App.Top().Title(), views.TabNames[want])
		}
		d.Press("esc")
	}
	if d.App.Depth() != 1 {
		t.Error("esc doesn't lead to the list of conversations")
	}
}

// TestBackAfterJumps goes from place to place inside a conversation, and back step by step
// to the same cursors, in windows where the text is beside the list and where it is a page.
func TestBackAfterJumps(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, width := range []int{80, 120} {
		d := viewtest.DriveDemo(t)
		d.Screen(width, 30)
		d.Press("s")
		summaries := d.App.Top()
		d.Press("!", "J") // A row that is not the first, with its text scrolled.
		place := func() string {
			return d.App.Top().Title() + " " + d.App.Top().(ui.Copier).Copy() + "\n" + body(d.Screen(width, 30))
		}
		var places []string
		for _, key := range []string{"m", "s", "m", "k", "s", "3", "6"} {
			if key == "k" { // It only moves the cursor.
				d.Press(key)
				continue
			}
			places = append(places, place())
			d.Press(key)
		}
		for i := len(places) - 1; i >= 0; i-- {
			d.Press("esc")
			// Once the tabs that the way led to are read, their names carry numbers.
			if got := place(); got != places[i] {
				t.Fatalf("width %d, step %d back shows\n%s\nwant\n%s", width, i, got, places[i])
			}
		}
		if d.App.Top() != summaries {
			t.Errorf("the way ends on %s", d.App.Top().Title())
		}
		if d.Press("esc"); d.App.Depth() != 1 {
			t.Error("esc doesn't lead to the list of conversations")
		}
		d.Press("esc", "esc")
		if d.Quit {
			t.Error("esc quit")
		}
	}
}

// body returns a screen without its header, status line and footer.
func body(screen string) string {
	lines := strings.Split(screen, "\n")
	return strings.Join(lines[1:len(lines)-2], "\n")
}

// TestPlacesOfThePalette: who goes to a place from that place stays, so that one step back leads away from it.
func TestPlacesOfThePalette(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, place := range []string{"history", "doctor", "secrets", "space", "trash", "status", "promoted", "sessions", "config", "fleet", "db", "bundle"} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, place)
			d.UseMachines()
			d.Palette(place)
			d.Press("enter")
			shown, depth := d.App.Top(), d.App.Depth()
			if depth != 2 {
				t.Fatalf("%s opens nothing:\n%s", place, d.Screen(120, 36))
			}
			d.Palette(place)
			d.Press("enter")
			if d.App.Top() != shown || d.App.Depth() != depth {
				t.Errorf("%s on %s is %d screens deep", place, shown.Title(), d.App.Depth())
			}
		})
	}
}
