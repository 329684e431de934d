package home

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

func TestConversationsScreen(t *testing.T) {
	t.Parallel()
	viewtest.DriveDemo(t).Goldens()
}

func TestConversationsAtEveryLevel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range fakehost.Levels() {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveSample(t, level)
			d.Clean(120, 36)
			d.Clean(80, 24)
			d.Sees("2 conversations")
			d.Misses(" · ·")
		})
	}
}

func TestConversationsHoldHostileTextOff(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "hostile-text")
	d.Clean(120, 36)
	for _, tab := range []string{"1", "2", "3", "4", "5", "6"} {
		d.Press("enter", tab)
		d.Clean(120, 36)
		d.Clean(80, 24)
		d.Press("esc")
	}
}

func TestConversationsFilter(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("/")
	d.Write("slack")
	d.Sees("1 of 8 conversations", "INC-81")
	d.Misses("Tidewater")
	d.Press("esc")
	d.Sees("Tidewater")
	d.Press(".", "v", ".", "v")
	d.Sees("show: archived", "2 conversations")
	d.Press(".", "v", ".", "a")
	d.Misses("Nightly checks")
}

func TestConversationsGoToDamage(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("G", "!")
	c := d.App.Top().(*Conversations)
	r, ok := c.List.Selected()
	if !ok || c.text.damage(r) == 0 {
		t.Errorf("the cursor is on %v", r)
	}
}

// TestConversationsFollowTheHost: what a host writes appears, and the cursor stays
// on its row though the order changes.
func TestConversationsFollowTheHost(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	c := d.App.Top().(*Conversations)
	d.Press("G")
	was, _ := c.List.Selected()
	h, err := fakehost.Open(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.Message(was.ID, fakehost.Message{Role: "user", Content: "hello again", At: viewtest.DemoNow.AddDate(0, 0, 1)}); err != nil {
		t.Fatal(err)
	}
	messages := was.counts.Messages
	d.Send(ui.ChangedMsg{External: true})
	is, _ := c.List.Selected()
	if is.ID != was.ID || c.List.Index() != 0 || is.counts.Messages != messages+1 {
		t.Errorf("the cursor is on %d at %d, with %d messages", is.ID, c.List.Index(), is.counts.Messages)
	}
}

func TestCutOffFileSaysSoAndShowsTheRest(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Fixture(t, "faults/sqlite-truncated.db"))
	d.Sees("damaged", "salvage", "agent:main:main", "read-only")
	d.Press("s")
	d.Misses("d dissolve")
}

func TestWelcome(t *testing.T) {
	t.Parallel()
	styles := ui.NewStyles(true)
	w := NewWelcome(views.NewEnv(views.Options{}, nil, &styles), views.Options{NotOpened: views.NotOpened{Err: errTest{}}})
	got := viewtest.Plain(w.View(80, 24))
	for _, want := range []string{"No database is open", "it went wrong", "do this", "lcm-tui demo", "--db FILE"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestWelcomeKeepsItsIndents: what doesn't fit a line goes on below its beginning.
func TestWelcomeKeepsItsIndents(t *testing.T) {
	t.Parallel()
	styles := ui.NewStyles(true)
	w := NewWelcome(views.NewEnv(views.Options{}, nil, &styles), views.Options{NotOpened: views.NotOpened{Err: errTest{}}})
	for _, width := range []int{120, 60, 40} {
		for _, l := range strings.Split(viewtest.Plain(w.View(width, 60)), "\n") {
			if head := strings.TrimSpace(l); head != "" && !strings.HasPrefix(l, "  ") && !slices.Contains([]string{"! No database is open", "What you can do", "Where it was looked for"}, head) {
				t.Errorf("at %d columns: %q", width, l)
			}
		}
	}
	if got := viewtest.Plain(w.View(60, 60)); !strings.Contains(got, "  look around in a sample, which is\n                       deleted at the end") {
		t.Error(got)
	}
}

type errTest struct{}

func (errTest) Error() string { return "it went wrong" }
func (errTest) Hint() string  { return "do this" }

// TestConversationsAtTheSmallestSize: what tells two conversations apart and what is wrong
// with them is seen at 80 by 24.
func TestConversationsAtTheSmallestSize(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveFile(t, viewtest.Fixture(t, "v0.15.3/rich.db"))
	rows := map[string]bool{}
	for _, l := range strings.Split(d.Screen(80, 24), "\n")[3:9] {
		if rows[l[:40]] {
			t.Errorf("two rows begin with %q", l[:40])
		}
		rows[l[:40]] = true
	}
	if got := d.Screen(80, 24); !strings.Contains(got, "archived") || !strings.Contains(got, "! 2 errors") || !strings.Contains(got, "ok") {
		t.Errorf("states are missing:\n%s", got)
	}
}

// TestNamelessConversationsAreCalledByTheirFirstWords: files of the first versions have
// neither titles nor keys.
func TestNamelessConversationsAreCalledByTheirFirstWords(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Fixture(t, "v0.1.0/small.db"))
	d.Press("down")
	d.Sees("Decision: pin the pool size", "5a11ab1e")
	d.Press("/")
	d.Write("pool size")
	d.Sees("1 of 2 conversations", "Decision: pin the pool size")
	d.Press("enter", "enter")
	if got := d.App.Top().Title(); !strings.HasPrefix(got, "Decision: pin the pool size") || !strings.Contains(got, "5a11ab1e") || !strings.HasSuffix(got, " › Messages") {
		t.Errorf("its title is %q", got)
	}
}

// TestTheFilterMatchesWhatIsSeen: a session's id, which no row shows, matches only what looks
// like an id.
func TestTheFilterMatchesWhatIsSeen(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	c := d.App.Top().(*Conversations)
	r := c.List.Rows()[0]
	d.Press("/")
	for id, want := range map[string]int{r.SessionID: 1, r.SessionID[:8]: 1, r.SessionID[9:13] + "-": 0} {
		if c.List.SetFilter(id); c.List.Len() != want {
			t.Errorf("%q matches %d conversations, want %d", id, c.List.Len(), want)
		}
	}
	d.Press("esc", "/")
	d.Write("archived")
	d.Sees("2 of 8 conversations")
}

// TestOneConversationIsSingular: and an empty list says why, and what to do.
func TestOneConversationIsSingular(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Wide(t, 3, 10))
	d.Sees("1 conversation ")
	d.Press(".", "v", ".", "v")
	d.Sees("no conversation is archived: . v shows the others")
}
