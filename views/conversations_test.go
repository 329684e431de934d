package views

import (
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
)

func TestConversationsScreen(t *testing.T) {
	t.Parallel()
	driveDemo(t).golden()
}

func TestConversationsAtEveryLevel(t *testing.T) {
	t.Parallel()
	for _, level := range fakehost.Levels() {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			d := driveSample(t, level)
			d.clean(120, 36)
			d.clean(80, 24)
			d.sees("2 conversations")
			d.misses(" · ·")
		})
	}
}

func TestConversationsHoldHostileTextOff(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "hostile-text")
	d.clean(120, 36)
	for _, tab := range []string{"1", "2", "3", "4", "5", "6"} {
		d.press("enter", tab)
		d.clean(120, 36)
		d.clean(80, 24)
		d.press("esc")
	}
}

func TestConversationsFilter(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("/")
	d.write("slack")
	d.sees("1 of 8 conversations", "INC-81")
	d.misses("Tidewater")
	d.press("esc")
	d.sees("Tidewater")
	d.press("v", "v")
	d.sees("archived", "2 conversations")
	d.press("v", "a")
	d.misses("Nightly checks")
}

func TestConversationsGoToDamage(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("G", "!")
	c := d.app.Top().(*Conversations)
	r, ok := c.list.Selected()
	if !ok || c.damage(r) == 0 {
		t.Errorf("the cursor is on %v", r)
	}
}

// TestConversationsFollowTheHost: what a host writes appears, and the cursor stays
// on its row though the order changes.
func TestConversationsFollowTheHost(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	c := d.app.Top().(*Conversations)
	d.press("G")
	was, _ := c.list.Selected()
	h, err := fakehost.Open(d.path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.Message(was.ID, fakehost.Message{Role: "user", Content: "hello again", At: demoNow.AddDate(0, 0, 1)}); err != nil {
		t.Fatal(err)
	}
	messages := was.counts.Messages
	d.send(ui.ChangedMsg{External: true})
	is, _ := c.list.Selected()
	if is.ID != was.ID || c.list.Index() != 0 || is.counts.Messages != messages+1 {
		t.Errorf("the cursor is on %d at %d, with %d messages", is.ID, c.list.Index(), is.counts.Messages)
	}
}

func TestCutOffFileSaysSoAndShowsTheRest(t *testing.T) {
	t.Parallel()
	d := driveFile(t, fixture(t, "faults/sqlite-truncated.db"))
	d.sees("damaged", "salvage", "agent:main:main", "read-only")
	d.press("s")
	d.misses("d dissolve")
}

func TestWelcome(t *testing.T) {
	t.Parallel()
	styles := ui.NewStyles(true)
	w := NewWelcome(&styles, Options{Err: errTest{}})
	got := plain(w.View(80, 24))
	for _, want := range []string{"No database is open", "it went wrong", "do this", "lcm-tui demo", "--db FILE"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

type errTest struct{}

func (errTest) Error() string { return "it went wrong" }
func (errTest) Hint() string  { return "do this" }
