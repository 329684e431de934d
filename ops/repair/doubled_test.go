package repair_test

import (
	"errors"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestADoubledSummaryGoes: the summary that a host put in front of its own messages is deleted,
// its messages stay in the context, and nothing else is found afterwards. Undo brings it back.
func TestADoubledSummaryGoes(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "host-double")
	was, db := dump(t, path), open(t, path)
	before, err := lcm.Context(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := &repair.Op{Conversation: 1}
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	after, err := lcm.Context(t.Context(), db, 1)
	if err != nil || len(after) != len(before)-1 {
		t.Fatalf("%d items of %d are left, %v", len(after), len(before), err)
	}
	for i, it := range after {
		if want := before[i+1]; it.Ref() != want.Ref() {
			t.Errorf("item %d is %s, want %s", i, it.Ref(), want.Ref())
		}
	}
	if _, err := lcm.ReadSummary(t.Context(), db, before[0].Summary); err == nil {
		t.Error("the summary is still stored")
	}
	if _, err := o.Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("a second repair: %v", err)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if now := dump(t, path); now != was {
		t.Error("undo doesn't bring back what was")
	}
}

// TestADoubledSummaryStaysWhereItCarries what nothing else does by now.
func TestADoubledSummaryStaysWhereItCarries(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "host-double")
	db := open(t, path)
	testdb.BesideHost(db)
	p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.CoveredMessageInContext}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	if _, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryDoubled}}).Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("its messages went, and it may go too: %v", err)
	}
}
