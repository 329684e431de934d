package views

import (
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
)

func TestConversationsScreen(t *testing.T) {
	t.Parallel()
	driveDemo(t).goldens()
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
	d.sees("show: archived", "2 conversations")
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
	w := NewWelcome(NewEnv(Options{}, nil, &styles), Options{Err: errTest{}})
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

// TestConversationsAtTheSmallestSize: what tells two conversations apart and what is wrong
// with them is seen at 80 by 24.
func TestConversationsAtTheSmallestSize(t *testing.T) {
	t.Parallel()
	d := driveFile(t, fixture(t, "v0.15.3/rich.db"))
	rows := map[string]bool{}
	for _, l := range strings.Split(d.screen(80, 24), "\n")[3:9] {
		if rows[l[:40]] {
			t.Errorf("two rows begin with %q", l[:40])
		}
		rows[l[:40]] = true
	}
	if got := d.screen(80, 24); !strings.Contains(got, "archived") || !strings.Contains(got, "! 2 errors") || !strings.Contains(got, "ok") {
		t.Errorf("states are missing:\n%s", got)
	}
}

// TestNamelessConversationsAreCalledByTheirFirstWords: files of the first versions have
// neither titles nor keys.
func TestNamelessConversationsAreCalledByTheirFirstWords(t *testing.T) {
	t.Parallel()
	d := driveFile(t, fixture(t, "v0.1.0/small.db"))
	d.sees("Decision: pin the pool size", "5a11ab1e")
	d.press("/")
	d.write("pool size")
	d.sees("1 of 2 conversations", "Decision: pin the pool size")
	d.press("enter", "enter")
	if got := d.app.Top().Title(); !strings.HasPrefix(got, "Decision: pin the pool size") || !strings.Contains(got, "5a11ab1e") || !strings.HasSuffix(got, " › Messages") {
		t.Errorf("its title is %q", got)
	}
}

// TestTheFilterMatchesWhatIsSeen: a session's id, which no row shows, matches only what looks
// like an id.
func TestTheFilterMatchesWhatIsSeen(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	c := d.app.Top().(*Conversations)
	r := c.list.Rows()[0]
	d.press("/")
	for id, want := range map[string]int{r.SessionID: 1, r.SessionID[:8]: 1, r.SessionID[9:13] + "-": 0} {
		if c.list.SetFilter(id); c.list.Len() != want {
			t.Errorf("%q matches %d conversations, want %d", id, c.list.Len(), want)
		}
	}
	d.press("esc", "/")
	d.write("archived")
	d.sees("2 of 8 conversations")
}

// TestOneConversationIsSingular: and an empty list says why, and what to do.
func TestOneConversationIsSingular(t *testing.T) {
	t.Parallel()
	d := driveFile(t, wide(t, 3, 10))
	d.sees("1 conversation ")
	d.press("v", "v")
	d.sees("no conversation is archived: v shows the others")
}
