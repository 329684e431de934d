package change_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/change"
	"lcm-tui/internal/testlength"
)

// TestPendingBatchesOfAChangeInParts: each part keeps the rules in its own transaction, and undo
// of all parts restores what they deleted, as stale.
func TestPendingBatchesOfAChangeInParts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	_, db, batch := preparing(t)
	was, texts := dump(t, db.Path()), pendingTexts(t, db.Path())
	db.PartRows = 4
	b := change.Batch{Op: "test", Title: "delete many", Forgets: true}
	for id := range int64(12) {
		b.Changes = append(b.Changes, deleting(t, db, 1+2*id).Changes...)
	}
	out, err := change.WriteBatch(t.Context(), db, b)
	must(t, err)
	if status := statusOf(t, db.Path(), batch); status != "" {
		t.Errorf("the batch is %q", status)
	}
	r, _, err := change.RecordChanges(t.Context(), db, out.Record)
	must(t, err)
	if r.DeletedBatches != 1 {
		t.Errorf("the record deleted %d batches", r.DeletedBatches)
	}
	must(t, change.Undo(t.Context(), db, out.Record))
	if got := dump(t, db.Path()); got != was {
		t.Error(cmp.Diff(was, got))
	}
	if diff := cmp.Diff(texts, pendingTexts(t, db.Path())); diff != "" {
		t.Error(diff)
	}
	if status := statusOf(t, db.Path(), batch); !strings.HasPrefix(status, "stale: ") {
		t.Errorf("undo brought the batch back as %q", status)
	}
	noneOpen(t, db.Path())
}
