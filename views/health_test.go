package views

import (
	"context"
	"testing"
	"time"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
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

// TestFindingsAreShownWithoutEscapeSequences: nothing of the text of a finding is a style that is
// written out.
func TestFindingsAreShownWithoutEscapeSequences(t *testing.T) {
	t.Parallel()
	d := driveFile(t, testdb.Fixture(t, "v1.0/rich.db"))
	d.press("h")
	d.press("/")
	d.write("T01")
	d.press("enter", "g", "down")
	d.sees("where", "messages 1")
	d.misses("␛")
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
				d.press("right", "down", "enter")
				d.sees("Moving the ledger › "+to.tab, to.shows)
			}
		})
	}
}

// TestHealthFolds: the findings of a fault are unfolded at first where they are few and more
// than good to know.
func TestHealthFolds(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double")
	d.open(1, tabHealth)
	d.sees("▸ · Gaps in the ordinals of a context")
	d.cursorOn("C07")
	d.sees("▾ ! A summary stands", "context item 900")
	d.press("down", "left")
	d.sees("▸ ! A summary stands")
	d.misses("context item 900")
	d.press("right")
	d.sees("▾ ! A summary stands", "context item 900")
	d.press("left", "left")
	d.sees("▸ The context is larger than it should be")
	d.misses("! A summary stands")
	d.press("enter")
	d.sees("▾ The context is larger than it should be", "▸ ! A summary stands")
}

// TestHealthNamesConversationsAndDates: equal faults of different rows are distinguished.
func TestHealthNamesConversationsAndDates(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.press("h")
	d.sees("Nightly checks #", "Tidewater #", "d0 sum_", "Mar ")
	d.cursorOn("V06")
	d.misses("Islander")
	d.press("right")
	d.sees("conversation")
	for width, height := range map[int]int{80: 24, 120: 36, 200: 50} {
		d.clean(width, height)
	}
}

// TestHealthFillsWhileTheCheckGoes: what is found is there before the check ends, and stays
// with a word on what is missing when the check is cancelled.
func TestHealthFillsWhileTheCheckGoes(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double")
	v := NewHealth(d.env)
	found, err := integrity.Check(t.Context(), d.env.DB, integrity.Request{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.send(ui.PushMsg{Screen: v})
	v.running, v.when, v.found = &healthCheck{places: v.places}, time.Time{}, integrity.Diagnosis{}
	v.set()
	d.sees("looking for damage")
	v.running.found.Add(integrity.Part{Conversation: 1, Findings: found.Findings[:2]})
	d.sees("1 conversation checked · so far", "The context is larger than it should be")
	v.Receive(ui.FailedMsg{Name: "check", Err: context.Canceled})
	d.sees("the check was cancelled after 1 conversation: there may be more", "The context is larger than it should be", "c check again")
	d.press("c")
	d.sees("checked now", "2 errors")
	d.misses("cancelled")
}

// TestHealthReusesTheMarksOfTheList: what the list found out about a conversation is shown at
// once and not looked for again, unless the conversation has changed.
func TestHealthReusesTheMarksOfTheList(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double")
	d.screen(120, 36)
	d.press("down")
	known := d.env.sound[1]
	if known.found == nil {
		t.Fatal("the list did not check the conversation")
	}
	if got := unchangedFindings(t.Context(), d.env.DB, d.env.sound, known.limits); len(got[1]) != len(known.found.Findings) {
		t.Errorf("%d findings are reused", len(got[1]))
	}
	if got := unchangedFindings(t.Context(), d.env.DB, d.env.sound, integrity.Limits{Budget: 1}); len(got) != 0 {
		t.Error("findings by other limits are reused")
	}
	row, err := lcm.ReadConversation(t.Context(), d.env.DB, 1)
	if err != nil {
		t.Fatal(err)
	}
	v := NewConversation(d.env, row, 0).Tab(tabHealth).(*Health)
	if len(v.found.Findings) != len(known.found.Findings) {
		t.Error("the tab begins empty")
	}
	h, err := fakehost.Open(d.path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal >= 900"); err != nil {
		t.Fatal(err)
	}
	if got := unchangedFindings(t.Context(), d.env.DB, d.env.sound, known.limits); got[1] != nil {
		t.Error("findings of a conversation that has changed are reused")
	}
}

func TestHealthOfHealthyFiles(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head)
	d.open(1, tabHealth)
	d.sees("1 note", "Active, but silent for a month")
	d.press("!")
	d.sees("no damage was found, only what is good to know")
}

// TestHealthReportsNews: what a host writes doesn't begin a check by itself.
func TestHealthReportsNews(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head)
	d.open(1, tabHealth)
	if err := faults.Break(d.path, "context-double"); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{External: true})
	d.sees("the file has changed since: c checks again")
	d.misses("C06")
	d.press("c")
	d.sees("C06")
	d.misses("the file has changed since")
	if err := faults.Break(d.path, "marker-truncated"); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{Note: "applied"})
	d.sees("Q01")
}

// TestHealthKnowsOurOwnChange: what this program wrote before the check began isn't called news
// when the watch notices it later.
func TestHealthKnowsOurOwnChange(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double")
	d.open(1, tabHealth)
	d.cursorOn("C06")
	d.press("R", "enter", "a", "enter", "esc")
	d.sees("checked now")
	d.misses("C06")
	d.send(ui.ChangedMsg{External: true})
	d.misses("has changed since")
	if err := faults.Break(d.path, "marker-truncated"); err != nil {
		t.Fatal(err)
	}
	d.send(ui.ChangedMsg{External: true})
	d.sees("the file has changed since: c checks again")
}

// TestRepairFromHealthOffersItsScopes: the finding under the cursor first, then what it is in,
// each with how much is wrong; only that is repaired.
func TestRepairFromHealthOffersItsScopes(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double", "marker-truncated")
	d.press("h")
	d.cursorOn("Q01")
	d.press("down", "R")
	d.sees("Repair", "this finding", "this summary, sum_", "this conversation", "the whole file", "1 by a model", "by rule")
	d.clean(80, 24)
	d.clean(200, 50)
	d.press("esc")
	d.cursorOn("C07")
	d.press("R", "enter")
	d.sees("5 Findings 1", "✓ will be repaired")
	d.press("esc", "down", "enter")
	d.misses("5 Findings 1 ")
	d.sees("5 Findings")
	d.press("esc", "esc")
	d.cursorOn("The context is larger")
	d.press("R")
	d.sees("2 findings: 2 by rule")
	d.press("enter")
	d.sees("5 Findings 2")
}

func TestHealthMarks(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double")
	d.screen(120, 36)
	d.press("down")
	d.sees("! 2")
	d.press("G", "!")
	if id := d.app.Top().(ui.Copier).Copy(); id != "1" {
		t.Errorf("the cursor is on %s", id)
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
