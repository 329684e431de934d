package views

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/ui"
)

func TestHealthScreens(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double", "marker-truncated", "cjk-out-of-sync")
	d.open(1, tabHealth)
	d.golden()
}

func TestHealthOfTheFile(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double", "counter-behind")
	d.press("h")
	d.sees("Health", "The context is larger than it should be", "An id counter is behind its table", "2 errors")
	d.clean(120, 36)
	d.clean(80, 24)
	d.press("esc")
	d.sees("! 2")
}

// cursorOn goes to the row of the list that shows text.
func (d *driver) cursorOn(text string) {
	d.t.Helper()
	d.press("g")
	for range 60 {
		for l := range strings.Lines(d.screen(120, 36)) {
			if strings.Contains(l, "▌") && strings.Contains(l, text) {
				return
			}
		}
		d.press("down")
	}
	d.t.Fatalf("no row shows %q:\n%s", text, d.screen(120, 36))
}

// TestHealthLeadsToThePlace: enter on a finding goes where its row is seen.
func TestHealthLeadsToThePlace(t *testing.T) {
	t.Parallel()
	for _, to := range []struct{ fault, row, tab, shows string }{
		{"context-double", "C06", "Context", "▌901"},
		{"marker-truncated", "Q01", "Summaries", "sum_19efce1160eed294"},
		{"time-backwards", "M17", "Messages", "id 7"},
		{"file-unreferenced", "G04", "Files", "file_00000000feedbeef"},
		{"focus-double", "A06", "Focus", "focus_"},
	} {
		t.Run(to.fault, func(t *testing.T) {
			t.Parallel()
			for _, whole := range []bool{false, true} {
				d := driveSample(t, fakehost.Head, to.fault)
				if whole {
					d.press("h")
				} else {
					d.open(1, tabHealth)
				}
				d.cursorOn(to.row)
				d.press("enter", "down", "enter")
				d.sees("Moving the ledger › "+to.tab, to.shows)
			}
		})
	}
}

func TestHealthFolds(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double")
	d.open(1, tabHealth)
	d.cursorOn("C07")
	d.press("right")
	d.sees("▾ ! C07", "place 900")
	d.press("down", "left")
	d.sees("▸ ! C07")
	d.misses("place 900")
	d.press("left")
	d.sees("▸ The context is larger than it should be")
	d.misses("▸ ! C07")
	d.press("enter")
	d.sees("▾ The context is larger than it should be", "▸ ! C07")
}

func TestHealthOfHealthyFiles(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head)
	d.open(1, tabHealth)
	d.sees("1 note", "Active, but silent for a month")
	d.press("!")
	d.sees("no damage was found, only what is good to know")
}

// TestHealthIsToldOfNews: what a host writes doesn't begin a check by itself.
func TestHealthIsToldOfNews(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head)
	d.open(1, tabHealth)
	if err := faults.Break(d.path, "context-double"); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{External: true})
	d.sees("the host has written since: c checks again")
	d.misses("C06")
	d.press("c")
	d.sees("C06")
	d.misses("the host has written since")
	if err := faults.Break(d.path, "marker-truncated"); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{Note: "applied"})
	d.sees("Q01")
}

// TestHealthMending: without what mends R is off, and says why; with it, it is asked
// for what the cursor stands on.
func TestHealthMending(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double", "dangling-edges")
	d.env.Mend = nil
	d.open(1, tabHealth)
	d.cursorOn("C07")
	d.misses("R mend")
	var conv int64
	var faults []integrity.FaultID
	d.env.Mend = func(_ ui.Screen, c int64, ids []integrity.FaultID) tea.Cmd {
		conv, faults = c, ids
		return nil
	}
	d.sees("R mend")
	d.press("R")
	if conv != 1 || !slices.Equal(faults, []integrity.FaultID{integrity.CoveredSummaryInContext}) {
		t.Errorf("asked to mend %v of %d", faults, conv)
	}
	d.cursorOn("The context is larger than it should be")
	d.press("R")
	if !slices.Equal(faults, []integrity.FaultID{integrity.CoveredMessageInContext, integrity.CoveredSummaryInContext}) {
		t.Errorf("asked to mend %v", faults)
	}
}

func TestHealthMarks(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double")
	d.screen(120, 36)
	d.press("down")
	d.sees("! 2")
	d.press("G", "!")
	if r, _ := d.app.Top().(*Conversations).list.Selected(); r.ID != 1 {
		t.Errorf("the cursor is on %d", r.ID)
	}
	d.press("enter")
	d.sees("5 Health ! 2")
}

func TestHealthOfHostileText(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "hostile-text", "bad-values")
	for _, whole := range []bool{false, true} {
		if whole {
			d.press("esc", "h")
		} else {
			d.open(1, tabHealth)
		}
		for range 30 {
			d.press("right", "down")
			d.clean(120, 36)
		}
		d.clean(80, 24)
		d.clean(20, 5)
	}
}

func TestHealthOfOldAndNewFiles(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{fakehost.V0_1, fakehost.V0_6, fakehost.Fork} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			d := driveSample(t, level)
			d.press("h")
			d.sees("checked")
			d.misses("warning", "error")
		})
	}
}
