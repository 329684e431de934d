package undo_test

import (
	"errors"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/undo"
)

func noReport(int, int, string) {}

// dissolved returns the record of a summary that was dissolved and deleted.
func dissolved(t *testing.T, db *data.DB) int64 {
	t.Helper()
	for _, conv := range []int64{1, 2} {
		items, err := lcm.Context(t.Context(), db, conv)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			p, err := (&dissolve.Op{Conversation: conv, Summary: item.Summary, Purge: true}).Plan(t.Context(), db, noReport)
			if err != nil {
				continue // It is no condensed summary.
			}
			record, err := ops.Apply(t.Context(), db, p)
			if err != nil {
				t.Fatal(err)
			}
			return record
		}
	}
	t.Fatal("the sample has nothing to dissolve")
	return 0
}

// TestUndoAsAPlan: the plan shows the rows and texts that undoing would bring back, writes
// nothing itself, and applied it does just that; then there is nothing to undo.
func TestUndoAsAPlan(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	was := testdb.Dump(t, path)
	record := dissolved(t, db)
	changed := testdb.Dump(t, path)
	p, err := (&undo.Op{Record: record}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Texts) != 1 || p.Texts[0].Before != "" || p.Texts[0].After == "" {
		t.Errorf("the texts that come back: %+v, want that of the purged summary", p.Texts)
	}
	if _, inserts, _ := p.Count(); inserts == 0 || testdb.Dump(t, path) != changed {
		t.Errorf("%d rows come back; the plan must show some, and write nothing", inserts)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	if testdb.Dump(t, path) != was {
		t.Error("applied, the file isn't what it was")
	}
	if _, err := (&undo.Op{Record: record}).Plan(t.Context(), db, noReport); !errors.Is(err, change.ErrUndone) {
		t.Errorf("planned again: %v, want ErrUndone", err)
	}
}
