package health

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/change"
	"lcm-tui/engine/model/choose"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestRepairFromEverywhere: R leads to the review from the list, the context and the
// health of a conversation, and what it writes can be undone.
func TestRepairFromEverywhere(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]func(d *viewtest.Driver){
		"the list":    func(d *viewtest.Driver) { d.Press("down", "R", "enter") },
		"the context": func(d *viewtest.Driver) { d.Open(1, views.TabContext); d.Press("R", "enter") },
		"the health":  func(d *viewtest.Driver) { d.Open(1, views.TabHealth); d.CursorOn("C06"); d.Press("R", "enter") },
	} {
		d := viewtest.DriveSample(t, fakehost.Head, "context-double")
		was := d.Dump()
		way(d)
		d.Sees("nothing is written yet", "repair Moving the ledger #1")
		d.Press("a")
		d.Sees("applied as #1")
		if d.Dump() == was {
			t.Fatalf("from %s: nothing was written", name)
		}
		d.Press("u")
		d.Sees("is undone")
		if got := d.Dump(); got != was {
			t.Errorf("from %s: %s", name, cmp.Diff(was, got))
		}
	}
}

// TestScopesSayWhatTheirPlansDo: the counts in the list are those of the review, for every scope, with calls of a model
// for what is made again above a repaired summary; after an undo they are looked for again.
func TestScopesSayWhatTheirPlansDo(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveSample(t, fakehost.Head, "context-double", "marker-truncated", "message-decorated")
	d.Env.Summarizer = func(context.Context, choose.Choice) (views.Summarizer, error) {
		return views.Summarizer{Model: viewtest.Brief{}}, nil
	}
	d.Press("h")
	d.CursorOn("Q01")
	d.Press("right", "down", "R")
	v := d.App.Top().(*RepairScope)
	scopes := 0
	for _, r := range v.List.Items() {
		if r.choice != nil {
			continue
		}
		scopes++
		if r.preview == nil {
			t.Fatalf("nothing is known of %s", r.name)
		}
		d.Press("enter")
		d.Press("5")
		if calls := r.preview.ModelCalls; calls > 0 {
			d.Sees(fmt.Sprintf("model calls 0, %d to be made", calls))
		}
		d.Sees(fmt.Sprintf("5 Findings %d", len(r.preview.Items)))
		d.Press("esc", "down")
	}
	if scopes != 4 {
		t.Errorf("%d scopes", scopes)
	}
	d.Press("g", "down", "enter", "a", "u", "esc")
	d.Sees("repair in")
	d.Misses("looking for damage")
	if got := d.App.Top().(*RepairScope).List.Items(); got[0].preview == nil || len(got[0].findings) == 0 {
		t.Errorf("after an undo nothing is known:\n%s", d.Screen(120, 36))
	}
}

// TestAScopeIsOpenedWhileFindingsAreLookedForAgain: after something was written, a key may come before they are found.
func TestAScopeIsOpenedWhileFindingsAreLookedForAgain(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double")
	d.Open(1, views.TabHealth)
	d.CursorOn("C06")
	d.Press("R")
	v := d.App.Top().(*RepairScope)
	d.App.Update(ui.ChangedMsg{})
	d.App.Update(ui.Press("enter"))
	for _, r := range v.List.Items() {
		if r.id == "finding" {
			t.Errorf("it still has the finding: %+v", r.findings)
		}
	}
}

// TestAScopeThatCannotBeReadIsNotSearchedForEver: nothing runs any more, and what to do is said.
func TestAScopeThatCannotBeReadIsNotSearchedForEver(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double")
	d.Closed = true
	if err := d.Env.DB.Close(); err != nil {
		t.Fatal(err)
	}
	d.Send(ui.PushMsg{Screen: d.Env.Screens.Repair(d.Env, views.RepairPlace{Conversation: 1})})
	d.Sees("damage isn't known; ctrl+r looks for it")
	d.Misses("looking for damage")
}

// TestRepairWaitsForAModel: what is repaired without one can be applied at once, and x
// has the rest made first.
func TestRepairWaitsForAModel(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double", "marker-truncated")
	d.Env.Summarizer = func(context.Context, choose.Choice) (views.Summarizer, error) {
		return views.Summarizer{Model: viewtest.Brief{}}, nil
	}
	d.Press("down", "R", "enter")
	d.Sees("a apply", "ctrl+x run", "part of it")
	d.Press("ctrl+x", "y")
	d.Misses("ctrl+x run")
	d.Press("2")
	d.Sees("what happened, in brief")
	d.Press("a")
	d.Sees("applied as #1")
}

// TestAPartIsAppliedWithoutACall: what needs no model is applied by itself, and no call is
// reported that wasn't made.
func TestAPartIsAppliedWithoutACall(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "context-double", "marker-truncated")
	m := &viewtest.Counting{}
	d.Env.Summarizer = func(context.Context, choose.Choice) (views.Summarizer, error) { return views.Summarizer{Model: m}, nil }
	d.Press("down", "R", "enter")
	d.Sees("model calls 0, 1 to be made", "part of it")
	d.Press("a")
	d.Sees("applied as #1", "model calls 0 ")
	d.Misses("to be made")
	records, err := change.History(t.Context(), d.Env.DB)
	if err != nil || len(records) != 1 || m.Calls != 0 {
		t.Fatalf("%d records, %d calls, %v", len(records), m.Calls, err)
	}
	if detail := string(records[0].Detail); !strings.Contains(detail, `"model_calls":0`) {
		t.Errorf("the record tells of %s", detail)
	}
}

// TestAScopeCountsTextsAsItsPlan: a text that is written on request only is counted in the row of a scope and beside it.
func TestAScopeCountsTextsAsItsPlan(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "marker-truncated", "summary-capped")
	d.Press("h")
	d.CursorOn("Q05")
	d.Press("R")
	d.Sees("this finding                1 waiting for a model", "1 text is written by a model; ")
}

// TestChoosingWhatIsRight: where the file doesn't tell, both rows are shown beside each
// other, and the user says.
func TestChoosingWhatIsRight(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "message-decorated")
	d.Open(1, views.TabHealth)
	d.CursorOn("M01")
	d.Press("right", "down", "R")
	d.Sees("this finding", "1 waiting for your choice")
	d.Press("enter")
	d.Sees("with the host's preamble", "1  drop", "2  keep", "│")
	d.Golden()
	d.Press("1")
	d.Sees("nothing is written yet", "3 Rows")
	d.Press("4")
	d.Sees("1 message leaves the context only, and its row stays")
	d.Press("a")
	d.Sees("applied as #1")
	d.Press("enter")
	d.Sees("repair in")
	d.Press("esc")
	d.Sees("5 Health")
	d.Sees("M01 ×1") // Both rows are still there: that is only good to know now.
}

func TestNothingToRepair(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	d.Press("down", "R")
	d.Sees("this conversation", "nothing has to be repaired")
	d.Press("enter")
	if _, ok := d.App.Top().(*RepairScope); !ok {
		t.Errorf("enter opened %T", d.App.Top())
	}
}

// TestARepairWhoseModelFailsSaysSo: the calls are counted, and the text that failed is shown
// with its reason.
func TestARepairWhoseModelFailsSaysSo(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "marker-truncated")
	d.Env.Summarizer = func(context.Context, choose.Choice) (views.Summarizer, error) {
		return views.Summarizer{Model: viewtest.Brief{Err: errors.New("the vendor is overloaded")}}, nil
	}
	d.Open(1, views.TabHealth)
	d.CursorOn("Q01")
	d.Press("R", "enter", "ctrl+x", "y")
	d.Sees("the vendor is overloaded", "1 call was made and nothing is written", "model calls 1")
	d.Misses("no model was called", "none was asked for")
}
