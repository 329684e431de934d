package views

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
	"lcm-tui/ui"
)

// tabOf opens a tab of the oldest conversation.
func (d *driver) tabOf(tab int) {
	d.t.Helper()
	all, err := lcm.Conversations(d.t.Context(), d.env.DB)
	if err != nil || len(all) == 0 {
		d.t.Fatalf("%d conversations, %v", len(all), err)
	}
	d.send(ui.PushMsg{Screen: NewConversation(d.env, all[len(all)-1], 128_000).Tab(tab)})
}

// TestADamagedFileDoesNotLookEmpty: each tab says how much of its rows can't be read
// and what saves the rest, shows what can be read, and never says that there is nothing.
func TestADamagedFileDoesNotLookEmpty(t *testing.T) {
	t.Parallel()
	d := driveFile(t, fixture(t, "faults/sqlite-truncated.db"))
	d.sees("cut off: 201524 of 503808 bytes are missing")
	for tab, want := range map[int][]string{
		tabMessages:  {"40 of 73 messages can't be read", "salvage", "seq 33 of 73", "Decision: drop the unused"},
		tabSummaries: {"all 11 summaries can't be read", "salvage"},
		tabContext:   {"can't be read", "salvage", "how full the context is stays unknown", "sum_b4f8"},
		tabFiles:     {"deploy.log"},
		tabHealth:    {"S01"},
	} {
		d.tabOf(tab)
		d.sees(want...)
		d.misses("no messages", "no summaries", "the context is empty", "V07", "the host stores", "its row is gone")
		d.press("esc")
	}
}

// TestAHealthyFileHasNoDamageLine: what says so is silent on files that are whole.
func TestAHealthyFileHasNoDamageLine(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{fakehost.V0_1, fakehost.Head, fakehost.Beta} {
		d := driveSample(t, level)
		for tab := range tabs {
			d.tabOf(tab)
			d.misses("can't be read", "is missing", "stays unknown")
			d.press("esc")
		}
	}
}

// TestScreensOfAnySize: no size of the window ends the program, and one that grows
// again shows everything again.
func TestScreensOfAnySize(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	for tab := -1; tab < tabs+2; tab++ {
		switch {
		case tab >= tabs:
			d.send(ui.PushMsg{Screen: []ui.Screen{NewHealth(d.env), NewHistory(d.env)}[tab-tabs]})
		case tab >= 0:
			d.tabOf(tab)
		}
		whole := d.screen(120, 36)
		for _, over := range []string{"", "?", ":"} {
			if over != "" {
				d.press(over)
			}
			for _, size := range [][2]int{{0, 0}, {1, 1}, {5, 3}, {3, 5}, {1, 40}, {200, 1}, {2, 2}, {9, 4}, {13, 7}, {30, 8}} {
				d.clean(size[0], size[1])
			}
			if over != "" {
				d.press("esc")
			}
		}
		if got := d.screen(120, 36); got != whole {
			t.Errorf("tab %d: after a tiny window the screen is\n%s\nwas\n%s", tab, got, whole)
		}
		for _, size := range [][2]int{{1, 1}, {5, 3}, {9, 4}, {30, 8}} {
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			d.press("down", "end", "home", "enter", "down", "enter", "pgdown")
			d.clean(size[0], size[1])
		}
		for range 3 {
			if d.app.Depth() > 2 {
				d.press("esc")
			}
		}
		if tab >= 0 {
			d.press("esc")
		}
	}
}

// TestTheFirstWindowMayBeTiny: a program that starts in one is whole once it grows.
func TestTheFirstWindowMayBeTiny(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {5, 3}, {0, 0}} {
		d := driveDemo(t)
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		d.press("enter", "2", "3", "enter")
		d.sees("Context")
	}
}

// TestScreensOfFlippedBytes: bytes that are wrong anywhere stop no screen.
func TestScreensOfFlippedBytes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, fakehost.Head); err != nil {
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
		d := driveFile(t, spoiled)
		for tab := range tabs {
			all, _ := lcm.Conversations(t.Context(), d.env.DB)
			if len(all) == 0 {
				break
			}
			d.send(ui.PushMsg{Screen: NewConversation(d.env, all[0], 128_000).Tab(tab)})
			d.press("down", "enter")
			if got := d.screen(120, 36); strings.Contains(got, "internal error") {
				t.Errorf("seed %d, tab %d:\n%s", seed, tab, got)
			}
			d.press("esc", "esc")
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
		if got := trimHome(c.path, c.home); got != c.want {
			t.Errorf("%s for the home folder %s is %s, want %s", c.path, c.home, got, c.want)
		}
	}
}
