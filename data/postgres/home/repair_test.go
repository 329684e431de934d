package home_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// usualFaults are those that are repaired where LCM_TEST_ALL isn't set.
var usualFaults = []string{"seq-gap", "context-gap", "counters-wrong", "duplicate-messages", "message-twice"}

// TestRepairsAtAHomeAreThoseOfAFile: where a home can have the damage of a file, its repair leaves equal rows, and its undo the damage.
func TestRepairsAtAHomeAreThoseOfAFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testhome.New(t)
	repaired, refused := 0, 0
	for i, fault := range faults.Names() {
		if often(0, 1) == 0 && !slices.Contains(usualFaults, fault) && i%16 != 0 {
			continue
		}
		testhome.Clear(t, address)
		path := testdb.Sample(t, fakehost.Head, fault)
		if err := testhome.TryFill(t.Context(), address, path); err != nil {
			refused++ // The tables of a home don't let it come to this damage.
			continue
		}
		file, home := sameClock(testdb.Open(t, path)), sameClock(testhome.Open(t, address))
		was := testhome.Dump(t, file)
		p, err := (&repair.Op{All: true}).Plan(t.Context(), file, noReport)
		if err != nil || p.Empty() || p.Backup != "" {
			continue // It is only reported, or is about the file.
		}
		q, err := (&repair.Op{All: true}).Plan(t.Context(), home, noReport)
		if errors.Is(err, ops.ErrNothing) && strings.Contains("cjk-out-of-sync counter-behind fts-damaged fts-out-of-sync", fault) {
			continue // It is about search tables and counters of SQLite.
		}
		if err != nil {
			t.Errorf("%s: plan: %v", fault, err)
			continue
		}
		if _, err := ops.Apply(t.Context(), file, p); err != nil {
			t.Errorf("%s: %v", fault, err)
		}
		id, err := ops.Apply(t.Context(), home, q)
		if err != nil {
			t.Errorf("%s: apply: %v", fault, err)
			continue
		}
		if diff := cmp.Diff(testhome.Dump(t, file), testhome.Dump(t, home)); diff != "" {
			t.Errorf("%s: the home differs from the file: %s", fault, diff)
		}
		if err := ops.Undo(t.Context(), home, id); err != nil {
			t.Errorf("%s: undo: %v", fault, err)
		} else if diff := cmp.Diff(was, testhome.Dump(t, home)); diff != "" {
			t.Errorf("%s: after undo: %s", fault, diff)
		}
		repaired++
		if err := errors.Join(file.Close(), home.Close()); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d repaired, %d can't be in a home", repaired, refused)
	if repaired == 0 {
		t.Error("nothing was repaired")
	}
}
