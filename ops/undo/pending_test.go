package undo_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/undo"
)

// prepared returns a real file of 1.0 with an active batch of conversation 9.
func prepared(t *testing.T) (db *data.DB, batch string) {
	t.Helper()
	path := testdb.Fixture(t, "v1.0/rich.db")
	rows := testdb.Rows(t, path, "SELECT batch_id FROM pending_compaction_batches WHERE conversation_id = 9 AND status = 'planning'")
	if len(rows) != 1 {
		t.Fatalf("%q", rows)
	}
	return testdb.Open(t, path), rows[0]
}

// write writes changes as a plan, and fails unless a note of the record says so much.
func write(t *testing.T, db *data.DB, note string, changes []change.Change) int64 {
	t.Helper()
	p := ops.New("repair", "pending batches")
	p.Changes = changes
	out, err := ops.ApplyPlan(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := change.RecordChanges(t.Context(), db, out.Record)
	if notes := strings.Join(ops.RecordNotes(r), "\n"); err != nil || !strings.Contains(notes, note) || notes != strings.Join(ops.Outcome(out), "\n") {
		t.Errorf("the record says %q, want %q (%v)", notes, note, err)
	}
	return out.Record
}

// TestNothingToUndoOfBatchesThatBecameStale: they stay so, and the plan says it instead of
// showing rows that it wouldn't revert.
func TestNothingToUndoOfBatchesThatBecameStale(t *testing.T) {
	t.Parallel()
	db, batch := prepared(t)
	changes, err := change.StaleBatches(t.Context(), db, "given up", batch)
	if err != nil {
		t.Fatal(err)
	}
	record := write(t, db, "1 pending batch became stale", changes)
	_, err = (&undo.Op{Record: record}).Plan(t.Context(), db, noReport)
	var only *change.OnlyStaleError
	if !errors.As(err, &only) || only.Record != record || only.Batches != 1 || !strings.Contains(only.Hint(), "lcm-tui undo ID") {
		t.Errorf("got %v", err)
	}
}

// TestUndoOfDeletedBatchesSaysThatTheyComeBackAsStale.
func TestUndoOfDeletedBatchesSaysThatTheyComeBackAsStale(t *testing.T) {
	t.Parallel()
	db, batch := prepared(t)
	changes, err := change.DeleteBatches(t.Context(), db, batch)
	if err != nil {
		t.Fatal(err)
	}
	record := write(t, db, "1 pending batch was deleted", changes)
	p, err := (&undo.Op{Record: record}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if _, inserts, _ := p.Count(); inserts != len(changes) || !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(n, "comes back as stale") }) {
		t.Errorf("%d of %d rows come back, %q", inserts, len(changes), p.Notes)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	status := testdb.Rows(t, db.Path(), "SELECT status FROM pending_compaction_batches WHERE batch_id = '"+batch+"'")
	if !slices.Equal(status, []string{"stale"}) {
		t.Errorf("it came back as %q", status)
	}
}
