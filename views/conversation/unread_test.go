package conversation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/health"
	"lcm-tui/views/review"
	"lcm-tui/views/viewtest"
)

// tabOf opens a tab of the oldest conversation.
func tabOf(d *viewtest.Driver, tab int) {
	d.T.Helper()
	all, err := lcm.Conversations(d.T.Context(), d.Env.DB)
	if err != nil || len(all) == 0 {
		d.T.Fatalf("%d conversations, %v", len(all), err)
	}
	d.Send(ui.PushMsg{Screen: views.NewConversation(d.Env, all[len(all)-1], 128_000).Tab(tab)})
}

// TestADamagedFileDoesNotLookEmpty: each tab says how much of its rows can't be read
// and what saves the rest, shows what can be read, and never says that there is nothing.
func TestADamagedFileDoesNotLookEmpty(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Fixture(t, "faults/sqlite-truncated.db"))
	d.Sees("cut off: 201524 of 503808 bytes are missing")
	for tab, want := range map[int][]string{
		views.TabMessages:  {"40 of 73 messages can't be read", "salvage", "seq 33 of 73", "Decision: drop the unused"},
		views.TabSummaries: {"all 11 summaries can't be read", "salvage"},
		views.TabContext:   {"can't be read", "salvage", "how full the context is stays unknown", "sum_b4f8"},
		views.TabFiles:     {"deploy.log"},
		views.TabHealth:    {"S01"},
	} {
		tabOf(d, tab)
		d.Sees(want...)
		d.Misses("no messages", "no summaries", "the context is empty", "V07", "the host stores", "its row is gone")
		d.Press("esc")
	}
}

// TestAHealthyFileHasNoDamageLine: what says so is silent on files that are whole.
func TestAHealthyFileHasNoDamageLine(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{fakehost.V0_1, fakehost.Head, fakehost.Beta} {
		d := viewtest.DriveSample(t, level)
		for tab := range views.TabCount {
			tabOf(d, tab)
			d.Misses("can't be read", "is missing", "stays unknown")
			d.Press("esc")
		}
	}
}

// TestScreensOfAnySize: no size of the window ends the program, and one that grows
// again shows everything again.
func TestScreensOfAnySize(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	for tab := -1; tab < views.TabCount+2; tab++ {
		switch {
		case tab >= views.TabCount:
			d.Send(ui.PushMsg{Screen: []ui.Screen{health.NewHealth(d.Env), review.NewHistory(d.Env)}[tab-views.TabCount]})
		case tab >= 0:
			tabOf(d, tab)
		}
		whole := d.Screen(120, 36)
		for _, over := range []string{"", "?", ":"} {
			if over != "" {
				d.Press(over)
			}
			for _, size := range [][2]int{{0, 0}, {1, 1}, {5, 3}, {3, 5}, {1, 40}, {200, 1}, {2, 2}, {9, 4}, {13, 7}, {30, 8}} {
				d.Clean(size[0], size[1])
			}
			if over != "" {
				d.Press("esc")
			}
		}
		if got := d.Screen(120, 36); got != whole {
			t.Errorf("tab %d: after a tiny window the screen is\n%s\nwas\n%s", tab, got, whole)
		}
		for _, size := range [][2]int{{1, 1}, {5, 3}, {9, 4}, {30, 8}} {
			d.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			d.Press("down", "end", "home", "enter", "down", "enter", "pgdown")
			d.Clean(size[0], size[1])
		}
		for range 3 {
			if d.App.Depth() > 2 {
				d.Press("esc")
			}
		}
		if tab >= 0 {
			d.Press("esc")
		}
	}
}

// TestTheFirstWindowMayBeTiny: a program that starts in one is whole once it grows.
func TestTheFirstWindowMayBeTiny(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {5, 3}, {0, 0}} {
		d := viewtest.DriveDemo(t)
		d.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		d.Press("enter", "2", "3", "enter")
		d.Sees("Context")
	}
}

// TestScreensOfFlippedBytes: bytes that are wrong anywhere stop no screen.
func TestScreensOfFlippedBytes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := viewtest.SampleCache.Sample(path, fakehost.Head); err != nil {
		t.Fatal(err)
	}
	if err := faults.Alter(path, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(6) {
		spoiled := filepath.Join(t.TempDir(), "lcm.db")
		if err := os.WriteFile(spoiled, faults.FlipBytes(whole, seed, 40<<(seed%6)), 0o600); err != nil {
			t.Fatal(err)
		}
		if db, err := data.Open(t.Context(), spoiled); err != nil {
			continue // Nothing of it is known; the first screen says so.
		} else if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		d := viewtest.DriveFile(t, spoiled)
		for tab := range views.TabCount {
			all, _ := lcm.Conversations(t.Context(), d.Env.DB)
			if len(all) == 0 {
				break
			}
			d.Send(ui.PushMsg{Screen: views.NewConversation(d.Env, all[0], 128_000).Tab(tab)})
			d.Press("down", "enter")
			if got := d.Screen(120, 36); strings.Contains(got, "internal error") {
				t.Errorf("seed %d, tab %d:\n%s", seed, tab, got)
			}
			d.Press("esc", "esc")
		}
	}
}

// TestOnlyPathsInTheHomeFolderAreShortened: a folder whose name only begins like it is
// another.
func TestOnlyPathsInTheHomeFolderAreShortened(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, home, want string }{
		{"/home/ann/db", "/home/ann", "~/db"},
		{"/home/ann/db", "/home/ann/", "~/db"},
		{"/home/ann", "/home/ann", "~"},
		{"/home/annex/db", "/home/ann", "/home/annex/db"},
		{"/home/an", "/home/ann", "/home/an"},
		{"/srv/db", "/", "/srv/db"},
	} {
		if got := views.TrimHome(c.path, c.home); got != c.want {
			t.Errorf("%s for the home folder %s is %s, want %s", c.path, c.home, got, c.want)
		}
	}
}

// TestADeletedConversationSaysSo on each of its tabs, and none keeps the numbers that it had.
func TestADeletedConversationSaysSo(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Open(4, views.TabMessages)
	d.Sees("1 Messages 18")
	for _, of := range []string{"context_items", "summaries", "messages", "conversations"} {
		d.Exec("DELETE FROM " + of + " WHERE conversation_id = 4")
	}
	d.Send(ui.ChangedMsg{External: true})
	for tab := range views.TabPending {
		d.Sees("! this conversation was deleted while it was open")
		d.Misses("Messages 18", "Summaries 1", "nothing found", "the host stores", "the host makes")
		if tab < views.TabFocus {
			d.Press(views.Itoa(int64(tab + 2)))
		}
	}
}
