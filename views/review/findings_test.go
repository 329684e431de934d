package review

import (
	"context"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
	"lcm-tui/ui"
	"lcm-tui/views/viewtest"
)

// planRepair opens the review of a repair without a model.
func planRepair(d *viewtest.Driver, op repair.Op) {
	d.T.Helper()
	d.Run(d.Env.Planned(d.App.Top(), "repair", func(context.Context) (ops.Op, error) {
		op.FilesDir, op.Limits = d.Env.Files, d.Env.Limits()
		return &op, nil
	}))
}

// reviewRepair opens the review of repairing the first conversation of a broken sample.
func reviewRepair(t *testing.T, broken ...string) (*viewtest.Driver, *Review) {
	t.Helper()
	d := viewtest.DriveSample(t, fakehost.Head, broken...)
	d.Env.Summarizer = nil
	planRepair(d, repair.Op{Conversation: 1})
	r, ok := d.App.Top().(*Review)
	if !ok {
		t.Fatalf("no review was opened: %T", d.App.Top())
	}
	return d, r
}

// TestARepairListsItsFindingsInWords: each with what is done about it, and without a code in
// the title.
func TestARepairListsItsFindingsInWords(t *testing.T) {
	t.Parallel()
	d, _ := reviewRepair(t, "context-double", "marker-truncated")
	d.Sees("5 Findings", "✓ will be repaired", "~ needs a model", "what is done", "findings: ")
	title, _, _ := strings.Cut(strings.SplitN(d.Screen(120, 36), "\n", 3)[1], "\n")
	if strings.Contains(title, "C0") || !strings.Contains(title, "repair Moving the ledger #1: ") {
		t.Errorf("the title is %q", title)
	}
	d.Golden()
	d.Clean(200, 50)
	d.Clean(20, 5)
}

// TestAFindingIsLeftAsItIs: s takes the finding under the cursor out of the plan, and in again.
func TestAFindingIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	d, r := reviewRepair(t, "context-double", "cjk-out-of-sync")
	// Two findings may change one row, and another may need more rows where the first stays.
	all, rows := r.proposal.plan.CountItems(ops.Included), len(r.proposal.plan.Changes)
	i, _ := r.findings.finding()
	d.Press("s")
	d.Sees("– stays as it is", "1 left as they are")
	if now, _ := r.findings.finding(); now.ID != i.ID || r.proposal.plan.CountItems(ops.Included) != all-1 {
		t.Errorf("%s: %d of %d are repaired", now.ID, r.proposal.plan.CountItems(ops.Included), all)
	}
	d.Press("s")
	if r.proposal.plan.CountItems(ops.Included) != all || len(r.proposal.plan.Changes) != rows {
		t.Errorf("%d of %d are repaired again", r.proposal.plan.CountItems(ops.Included), all)
	}
	d.Press("down", "s", "a")
	d.Sees("applied as #1")
}

// TestADecisionAsksNoModel: while the plan is made again for it, nothing is said of texts.
func TestADecisionAsksNoModel(t *testing.T) {
	t.Parallel()
	d, r := reviewRepair(t, "context-double")
	begun := r.planner.replan(r.proposal.op)
	d.Sees("it is being planned · nothing is written yet · esc cancels")
	d.Misses("texts are being made")
	d.Run(begun)
	d.Sees("nothing is written yet · ")
}

// TestAFindingIsDecidedInTheReview: c goes through the choices, which are there in words.
func TestAFindingIsDecidedInTheReview(t *testing.T) {
	t.Parallel()
	d, r := reviewRepair(t, "context-double", "summary-double")
	at := -1
	for n, i := range r.proposal.plan.Items {
		if len(i.Choices) > 0 {
			at = n
		}
	}
	if at < 0 {
		t.Fatalf("no finding asks for a choice: %+v", r.proposal.plan.Items)
	}
	for range at {
		d.Press("down")
	}
	i, _ := r.findings.finding()
	d.Sees("? needs your choice", "c goes through them", i.Choices[0].Name+": ")
	d.Press("c")
	if now, _ := r.findings.finding(); now.ID != i.ID || now.Choice != i.Choices[0].Name {
		t.Errorf("%s was chosen for %s", now.Choice, now.ID)
	}
	d.Sees("▸ " + i.Choices[0].Name)
	for range i.Choices {
		d.Press("c")
	}
	if now, _ := r.findings.finding(); now.Choice != "" {
		t.Errorf("after the last choice there is %q", now.Choice)
	}
}

// TestARowOfFindingsNamesItsPlace: each row begins with where the finding is; the conversation is
// named where the plan is about several.
func TestARowOfFindingsNamesItsPlace(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DriveDemo(t)
	withoutModel(d)
	planRepair(d, repair.Op{All: true})
	d.Sees("~ needs a model      Tidewater #2 › d0 sum_", "~ needs a model      Nightly checks #7 › d0 sum_")
	d.Run(ui.Say(ui.PopMsg{Screen: d.App.Top()}))
	planRepair(d, repair.Op{Conversation: 2})
	d.Sees("~ needs a model      d0 sum_", "Q01 · Tidewater #2 › d0 sum_")
	d.Misses("0 → 0")
}

// TestWhatIsUndoneIsNotCalledRepairable: after undo the findings say so, and after redo that they are repaired.
func TestWhatIsUndoneIsNotCalledRepairable(t *testing.T) {
	t.Parallel()
	d, _ := reviewRepair(t, "context-double")
	d.Press("a", "u")
	d.Sees("is undone", "– undone")
	d.Misses("will be repaired", "✓ repaired")
	d.Press("U")
	d.Sees("#1 is redone as #2", "✓ repaired")
	d.Misses("– undone")
}
