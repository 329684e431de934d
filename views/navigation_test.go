package views

import (
	"strings"
	"testing"

	"lcm-tui/ui"
)

// TestReferenceKeys: keys of the reference program lead where they lead there, where they
// are free here.
func TestReferenceKeys(t *testing.T) {
	t.Parallel()
	d := driveFile(t, long(t, 20))
	for _, c := range []struct {
		from int
		key  string
		want int
	}{
		{tabMessages, "l", tabSummaries},
		{tabContext, "l", tabSummaries},
		{tabMessages, "o", tabFocus},
		{tabSummaries, "o", tabFocus},
	} {
		v := d.open(1, c.from)
		d.press(c.key)
		if !strings.HasSuffix(d.app.Top().Title(), "› "+tabNames[c.want]) {
			t.Errorf("%s on %s leads to %s", c.key, v.Title(), d.app.Top().Title())
		}
		if d.press("b"); d.app.Top() != v {
			t.Errorf("b doesn't lead back from %s", tabNames[c.want])
		}
		if d.press("backspace"); d.app.Depth() != 1 {
			t.Errorf("backspace doesn't lead back from %s", tabNames[c.from])
		}
	}
}

// TestBackAfterJumps goes from place to place inside a conversation, and back step by step
// to the same cursors, in windows where the text is beside the list and where it is a page.
func TestBackAfterJumps(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 120} {
		d := driveDemo(t)
		d.screen(width, 30)
		d.press("s")
		summaries := d.app.Top()
		d.press("!", "J") // A row that is not the first, with its text scrolled.
		place := func() string {
			return d.app.Top().Title() + " " + d.app.Top().(ui.Copier).Copy() + "\n" + body(d.screen(width, 30))
		}
		var places []string
		for _, key := range []string{"m", "s", "3", "1", "k", "s", "6", "1"} {
			if key == "k" { // It only moves the cursor.
				d.press(key)
				continue
			}
			places = append(places, place())
			d.press(key)
		}
		for i := len(places) - 1; i >= 0; i-- {
			d.press("esc")
			// Once the tabs that the way led to are read, their names carry numbers.
			if got := place(); got != places[i] {
				t.Fatalf("width %d, step %d back shows\n%s\nwant\n%s", width, i, got, places[i])
			}
		}
		if d.app.Top() != summaries {
			t.Errorf("the way ends on %s", d.app.Top().Title())
		}
		if d.press("esc"); d.app.Depth() != 1 {
			t.Error("esc doesn't lead to the list of conversations")
		}
		d.press("esc", "esc")
		if d.quit {
			t.Error("esc quit")
		}
	}
}

// body is a screen without its header, status line and footer.
func body(screen string) string {
	lines := strings.Split(screen, "\n")
	return strings.Join(lines[1:len(lines)-2], "\n")
}
