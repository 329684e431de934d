package views

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/change"
	"lcm-tui/engine/model/choose"
	"lcm-tui/internal/fakehost"
)

// TestRepairFromEverywhere: R leads to the review from the list, the context and the
// health of a conversation, and what it writes can be undone.
func TestRepairFromEverywhere(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]func(d *driver){
		"the list":    func(d *driver) { d.press("down", "R", "enter") },
		"the context": func(d *driver) { d.open(1, tabContext); d.press("R", "enter") },
		"the health":  func(d *driver) { d.open(1, tabHealth); d.cursorOn("C06"); d.press("R", "enter") },
	} {
		d := driveSample(t, fakehost.Head, "context-double")
		was := d.dump()
		way(d)
		d.sees("nothing is written yet", "repair conversation 1")
		d.press("a")
		d.sees("applied as #1")
		if d.dump() == was {
			t.Fatalf("from %s: nothing was written", name)
		}
		d.press("u")
		d.sees("is undone")
		if got := d.dump(); got != was {
			t.Errorf("from %s: %s", name, cmp.Diff(was, got))
		}
	}
}

// TestRepairWaitsForAModel: what is repaired without one can be applied at once, and x
// has the rest made first.
func TestRepairWaitsForAModel(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double", "marker-truncated")
	d.env.Summarizer = func(context.Context, choose.Choice) (Summarizer, error) { return Summarizer{Model: brief{}}, nil }
	d.press("down", "R", "enter")
	d.sees("a apply", "x run", "part of it")
	d.press("x", "y")
	d.misses("x run")
	d.press("2")
	d.sees("what happened, in brief")
	d.press("a")
	d.sees("applied as #1")
}

// TestAPartIsAppliedWithoutACall: what needs no model is applied by itself, and no call is
// reported that wasn't made.
func TestAPartIsAppliedWithoutACall(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "context-double", "marker-truncated")
	m := &counting{}
	d.env.Summarizer = func(context.Context, choose.Choice) (Summarizer, error) { return Summarizer{Model: m}, nil }
	d.press("down", "R", "enter")
	d.sees("model calls 0, 1 to be made", "part of it")
	d.press("a")
	d.sees("applied as #1", "model calls 0 ")
	d.misses("to be made")
	records, err := change.History(t.Context(), d.env.DB)
	if err != nil || len(records) != 1 || m.calls != 0 {
		t.Fatalf("%d records, %d calls, %v", len(records), m.calls, err)
	}
	if detail := string(records[0].Detail); !strings.Contains(detail, `"model_calls":0`) {
		t.Errorf("the record tells of %s", detail)
	}
}

// TestChoosingWhatIsRight: where the file doesn't tell, both rows are shown beside each
// other, and the user says.
func TestChoosingWhatIsRight(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "message-decorated")
	d.open(1, tabHealth)
	d.cursorOn("M01")
	d.press("right", "down", "R")
	d.sees("this finding", "1 finding: 1 after your choice")
	d.press("enter")
	d.sees("with the host's preamble", "1  drop", "2  keep", "│")
	d.golden()
	d.press("1")
	d.sees("nothing is written yet", "3 Rows")
	d.press("4")
	d.sees("1 message leaves the context only, and its row stays")
	d.press("a")
	d.sees("applied as #1")
	d.press("enter")
	d.sees("repair in")
	d.press("esc")
	d.sees("5 Health")
	d.sees("M01 ×1") // Both rows are still there: that is only good to know now.
}

func TestNothingToRepair(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head)
	d.press("down", "R")
	d.sees("this conversation", "1 finding: 1 after your choice")
	d.press("enter")
	if _, ok := d.app.Top().(*RepairScope); !ok {
		t.Errorf("enter opened %T", d.app.Top())
	}
}

// TestARepairWhoseModelFailsSaysSo: the calls are counted, and the text that failed is shown
// with its reason.
func TestARepairWhoseModelFailsSaysSo(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head, "marker-truncated")
	d.env.Summarizer = func(context.Context, choose.Choice) (Summarizer, error) {
		return Summarizer{Model: brief{err: errors.New("the vendor is overloaded")}}, nil
	}
	d.open(1, tabHealth)
	d.cursorOn("Q01")
	d.press("R", "enter", "x", "y")
	d.sees("the vendor is overloaded", "1 call was made and nothing is written", "model calls 1")
	d.misses("no model was called", "none was asked for")
}
