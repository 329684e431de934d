package repair_test

import (
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestBesideAHostAllItemsMoveAboveItsOrdinals: everything is repaired, and nothing stands where
// the host may have chosen what to delete. With the host away the items count from 0.
func TestBesideAHostAllItemsMoveAboveItsOrdinals(t *testing.T) {
	t.Parallel()
	for name, live := range map[string]bool{"beside a host": true, "with the host away": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head, "context-disorder", "counters-drift")
			db := open(t, path)
			if live {
				testdb.BesideHost(db)
			}
			highest := int64(-1)
			for _, ordinal := range placesOf(t, db) {
				highest = max(highest, ordinal)
			}
			p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.ContextOutOfOrder, integrity.DescendantCountersWrong, integrity.SourceTokensWrong}}).Plan(t.Context(), db, noReport)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ops.Apply(t.Context(), db, p); err != nil {
				t.Fatal(err)
			}
			lowest := int64(1000)
			for _, ordinal := range placesOf(t, db) {
				lowest = min(lowest, ordinal)
			}
			if want := map[bool]int64{true: highest + 1, false: 0}[live]; lowest != want {
				t.Errorf("the first item stands at %d, want %d", lowest, want)
			}
		})
	}
}

// placesOf returns the ordinals of what stands in the context of conversation 1.
func placesOf(t *testing.T, db *data.DB) map[string]int64 {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	for _, it := range items {
		out[it.Ref()] = it.Ordinal
	}
	return out
}

// TestOthersViolationsAreNoReason: rows that a conversation deleted elsewhere has left
// behind break the schema's rules, and neither refuse nor change other operations.
func TestOthersViolationsAreNoReason(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "counters-drift")
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"PRAGMA foreign_keys = 0", "DELETE FROM conversations WHERE conversation_id = 2"} {
		if err := h.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	const violations = "SELECT count(*) FROM pragma_foreign_key_check"
	before, err := testdb.Count(path, violations)
	if err != nil || before == 0 {
		t.Fatalf("%d violations, %v", before, err)
	}
	db := open(t, path)
	p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.DescendantCountersWrong, integrity.SourceTokensWrong}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if after, err := testdb.Count(path, violations); err != nil || after != before {
		t.Errorf("%d violations, and were %d, %v", after, before, err)
	}
}
