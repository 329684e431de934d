package views

import (
	"strings"
	"testing"
)

// TestSecondKeys: the reference program's keys work beside ours where they are free.
func TestSecondKeys(t *testing.T) {
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
		d.press("b")
		if d.app.Depth() != 1 {
			t.Errorf("b doesn't lead back from %s", d.app.Top().Title())
		}
		for d.app.Depth() > 1 {
			d.press("backspace")
		}
	}
}
