package views

import (
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// TestAWriteBeforeTheFirstLookIsReported: what was written between the start and the first look isn't on the screens yet.
func TestAWriteBeforeTheFirstLookIsReported(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	w := watchCoverage(t.Context(), testdb.Open(t, path))
	if err := faults.Break(path, "host-race"); err != nil {
		t.Fatal(err)
	}
	if changed, err := w.changed(t.Context()); !changed || err != nil {
		t.Errorf("%t, %v", changed, err)
	}
}

// TestALossIsReportedOnce: when messages are lost in a race with the host, the screens
// load again, and then the loss is reported.
func TestALossIsReportedOnce(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	at := time.Date(2026, 1, 5, 10, 4, 0, 0, time.UTC) // Two minutes after the write.
	db.Now = func() time.Time { return at }
	w := &coverageWatch{db: db, reported: map[string]bool{}}
	for range 2 {
		if changed, err := w.changed(t.Context()); changed || err != nil {
			t.Fatal(changed, err)
		}
	}
	if err := faults.Break(path, "host-race"); err != nil {
		t.Fatal(err)
	}
	if changed, err := w.changed(t.Context()); !changed || err != nil {
		t.Errorf("after the host's write: %t, %v", changed, err)
	}
	if _, err := w.changed(t.Context()); err == nil {
		t.Error("the loss isn't reported")
	}
	if _, err := w.changed(t.Context()); err != nil {
		t.Errorf("it is reported again: %v", err)
	}
	at = at.Add(time.Hour)
	late := &coverageWatch{db: db, reported: map[string]bool{}}
	for range 2 {
		if _, err := late.changed(t.Context()); err != nil {
			t.Errorf("an hour later: %v", err)
		}
	}
}
