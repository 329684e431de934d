package repair_test

import (
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestBesideAHostWhatNeedsRoomWaits: the rest is repaired and no item gets another
// ordinal. With --force, or with the host away, all is.
func TestBesideAHostWhatNeedsRoomWaits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		live, force bool
		waits       bool
	}{
		"beside a host": {true, false, true}, "forced": {true, true, false}, "with the host away": {false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head, "context-disorder", "counters-drift")
			h, err := fakehost.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "just now", At: time.Now()}); err != nil {
				t.Fatal(err)
			}
			db := open(t, path)
			if c.live {
				testdb.BesideHost(db)
			}
			places := placesOf(t, db)
			p, err := (&repair.Op{Conversation: 1, Force: c.force, Faults: []integrity.FaultID{integrity.ContextOutOfOrder, integrity.DescendantCountersWrong, integrity.SourceTokensWrong}}).Plan(t.Context(), db, noReport)
			if err != nil {
				t.Fatal(err)
			}
			warned := strings.Contains(strings.Join(p.Warnings, "\n"), "when the host is away")
			if warned != c.waits {
				t.Errorf("said to wait: %v, %q", warned, p.Warnings)
			}
			if _, err := ops.Apply(t.Context(), db, p); err != nil {
				t.Fatal(err)
			}
			moved := false
			for ref, ordinal := range placesOf(t, db) {
				moved = moved || places[ref] != ordinal
			}
			if moved == c.waits {
				t.Errorf("items were moved: %v", moved)
			}
		})
	}
}

// placesOf are the ordinals of what stands in the context of conversation 1.
func placesOf(t *testing.T, db *data.DB) map[string]int64 {
	t.Helper()
	items, err := db.Context(t.Context(), 1)
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
