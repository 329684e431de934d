package health

import (
	"context"
	"testing"
	"time"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

func TestHealthScreens(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double", "marker-truncated", "cjk-out-of-sync")
	d.Open(1, views.TabHealth)
	d.Golden()
}

func TestHealthOfTheFile(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double", "counter-behind")
	d.Press("h")
	d.Sees("Health", "The context is larger than it should be", "An id counter is behind its table", "2 errors")
	d.Clean(120, 36)
	d.Clean(80, 24)
	d.Press("esc")
	d.Sees("! 2")
}

// TestFindingsAreShownWithoutEscapeSequences: nothing of the text of a finding is a style that is
// written out.
func TestFindingsAreShownWithoutEscapeSequences(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveFile(t, testdb.Fixture(t, "v1.0/rich.db"))
	d.Press("h")
	d.Press("/")
	d.Write("T01")
	d.Press("enter", "g", "down")
	d.Sees("where", "messages 1")
	d.Misses("␛")
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
				d := viewtest.DriveSample(t, fakehost.Head, to.fault)
				if whole {
					d.Press("h")
				} else {
					d.Open(1, views.TabHealth)
				}
				d.CursorOn(to.row)
				d.Press("right", "down", "enter")
				d.Sees("Moving the ledger › "+to.tab, to.shows)
			}
		})
	}
}

// TestHealthFolds: the findings of a fault are unfolded at first where they are few and more
// than good to know.
func TestHealthFolds(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double")
	d.Open(1, views.TabHealth)
	d.Sees("▸ · Gaps in the ordinals of a context")
	d.CursorOn("C07")
	d.Sees("▾ ! A summary stands", "context item 900")
	d.Press("down", "left")
	d.Sees("▸ ! A summary stands")
	d.Misses("context item 900")
	d.Press("right")
	d.Sees("▾ ! A summary stands", "context item 900")
	d.Press("left", "left")
	d.Sees("▸ The context is larger than it should be")
	d.Misses("! A summary stands")
	d.Press("enter")
	d.Sees("▾ The context is larger than it should be", "▸ ! A summary stands")
}

// TestHealthNamesConversationsAndDates: equal faults of different rows are distinguished.
func TestHealthNamesConversationsAndDates(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Press("h")
	d.Sees("Nightly checks #", "Tidewater #", "d0 sum_", "Mar ")
	d.CursorOn("V06")
	d.Misses("Islander")
	d.Press("right")
	d.Sees("conversation")
	for width, height := range map[int]int{80: 24, 120: 36, 200: 50} {
		d.Clean(width, height)
	}
}

// TestHealthFillsWhileTheCheckGoes: what is found is there before the check ends, and stays
// with a word on what is missing when the check is cancelled.
func TestHealthFillsWhileTheCheckGoes(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double")
	v := NewHealth(d.Env)
	found, err := integrity.Check(t.Context(), d.Env.DB, integrity.Request{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.Send(ui.PushMsg{Screen: v})
	v.running, v.when, v.found = &healthCheck{places: v.places}, time.Time{}, integrity.Diagnosis{}
	v.set()
	d.Sees("looking for damage")
	v.running.found.Add(integrity.Part{Conversation: 1, Findings: found.Findings[:2]})
	d.Sees("1 conversation checked · so far", "The context is larger than it should be")
	v.Receive(ui.FailedMsg{Name: "check", Err: context.Canceled})
	d.Sees("the check was cancelled after 1 conversation: there may be more", "The context is larger than it should be", "ctrl+r check again")
	d.Press("ctrl+r")
	d.Sees("checked now", "2 errors")
	d.Misses("cancelled")
	v.running, v.when, v.found = &healthCheck{places: v.places}, time.Time{}, integrity.Diagnosis{}
	v.Receive(ui.FailedMsg{Name: "check", Err: context.Canceled})
	v.set()
	d.Sees("before anything was found: ctrl+r begins it")
}

// TestHealthReusesTheMarksOfTheList: what the list found out about a conversation is shown at
// once and not looked for again, unless the conversation has changed.
func TestHealthReusesTheMarksOfTheList(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double")
	d.Screen(120, 36)
	d.Press("down")
	known := d.Env.Sound[1]
	if known.Found == nil {
		t.Fatal("the list did not check the conversation")
	}
	if got := unchangedFindings(t.Context(), d.Env.DB, d.Env.Sound, known.Limits); len(got[1]) != len(known.Found.Findings) {
		t.Errorf("%d findings are reused", len(got[1]))
	}
	if got := unchangedFindings(t.Context(), d.Env.DB, d.Env.Sound, integrity.Limits{Budget: 1}); len(got) != 0 {
		t.Error("findings by other limits are reused")
	}
	row, err := lcm.ReadConversation(t.Context(), d.Env.DB, 1)
	if err != nil {
		t.Fatal(err)
	}
	v := views.NewConversation(d.Env, row, 0).Tab(views.TabHealth).(*Health)
	if len(v.found.Findings) != len(known.Found.Findings) {
		t.Error("the tab begins empty")
	}
	h, err := fakehost.Open(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal >= 900"); err != nil {
		t.Fatal(err)
	}
	if got := unchangedFindings(t.Context(), d.Env.DB, d.Env.Sound, known.Limits); got[1] != nil {
		t.Error("findings of a conversation that has changed are reused")
	}
}

func TestHealthOfHealthyFiles(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	d.Open(1, views.TabHealth)
	d.Sees("1 note", "Active, but silent for a month")
	d.Press("!")
	d.Sees("no damage was found, only what is good to know")
}

// TestHealthReportsNews: what a host writes doesn't begin a check by itself.
func TestHealthReportsNews(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	d.Open(1, views.TabHealth)
	if err := faults.Break(d.Path, "context-double"); err != nil {
		t.Fatal(err)
	}
	d.Send(ui.ChangedMsg{External: true})
	d.Sees("the file has changed since: ctrl+r checks again")
	d.Misses("C06")
	d.Press("ctrl+r")
	d.Sees("C06")
	d.Misses("the file has changed since")
	if err := faults.Break(d.Path, "marker-truncated"); err != nil {
		t.Fatal(err)
	}
	d.Send(ui.ChangedMsg{Note: "applied"})
	d.Sees("Q01")
}

// TestHealthKnowsOurOwnChange: what this program wrote before the check began isn't called news
// when the watch notices it later.
func TestHealthKnowsOurOwnChange(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double")
	d.Open(1, views.TabHealth)
	d.CursorOn("C06")
	d.Press("R", "enter", "a", "enter", "esc")
	d.Sees("checked now")
	d.Misses("C06")
	d.Send(ui.ChangedMsg{External: true})
	d.Misses("has changed since")
	if err := faults.Break(d.Path, "marker-truncated"); err != nil {
		t.Fatal(err)
	}
	d.Send(ui.ChangedMsg{External: true})
	d.Sees("the file has changed since: ctrl+r checks again")
}

// TestRepairFromHealthOffersItsScopes: the finding under the cursor first, then what it is in,
// each with how much is wrong; only that is repaired.
func TestRepairFromHealthOffersItsScopes(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double", "marker-truncated")
	d.Press("h")
	d.CursorOn("Q01")
	d.Press("down", "R")
	d.Sees("Repair", "this finding", "this summary, sum_", "this conversation", "the whole file", "5 to be repaired, 1 waiting for a model")
	d.Clean(80, 24)
	d.Clean(200, 50)
	d.Press("esc")
	d.CursorOn("C07")
	d.Press("R", "enter")
	d.Sees("5 Findings 1", "✓ will be repaired")
	d.Press("esc", "down", "enter")
	d.Misses("5 Findings 1 ")
	d.Sees("5 Findings")
	d.Press("esc", "esc")
	d.CursorOn("The context is larger")
	d.Press("R")
	d.Sees("2 to be repaired")
	d.Press("enter")
	d.Sees("5 Findings 2")
}

func TestHealthMarks(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double")
	d.Screen(120, 36)
	d.Press("down")
	d.Sees("! 2")
	d.Press("G", "!")
	if id := d.App.Top().(ui.Copier).Copy(); id != "1" {
		t.Errorf("the cursor is on %s", id)
	}
	d.Press("enter")
	d.Sees("5 Health !2")
}

func TestHealthOfHostileText(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveSample(t, fakehost.Head, "hostile-text", "bad-values")
	for _, whole := range []bool{false, true} {
		if whole {
			d.Press("esc", "h")
		} else {
			d.Open(1, views.TabHealth)
		}
		for range 30 {
			d.Press("right", "down")
			d.Clean(120, 36)
		}
		d.Clean(80, 24)
		d.Clean(20, 5)
	}
}

func TestHealthOfOldAndNewFiles(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{fakehost.V0_1, fakehost.V0_6, fakehost.Fork} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveSample(t, level)
			d.Press("h")
			d.Sees("checked")
			d.Misses("warning", "error")
		})
	}
}
