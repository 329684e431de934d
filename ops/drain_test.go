package ops_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/repair"
)

// TestBackgroundCompactionGoesOn after every write of ours, its undo and its redo, whether the
// host has the file open or not: it publishes what it prepares, and pays for each summary once.
func TestBackgroundCompactionGoesOn(t *testing.T) {
	t.Parallel()
	for seed := range uint64(worlds() / 2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, rand.New(rand.NewPCG(seed, 23)), fakehost.Beta) //nolint:gosec // The same every time.
			w.finish()
			for range 3 {
				w.away = w.r.IntN(2) == 0
				id, ok := w.apply(w.operation())
				if !ok {
					continue
				}
				w.drains("the write")
				if err := ops.Undo(w.Context(), w.db, id); err != nil {
					continue
				}
				w.drains("the undo")
				if _, ok := w.apply(&redo.Op{Record: id}); ok {
					w.drains("the redo")
				}
			}
		})
	}
}

// apply plans and writes an operation; not ok where it is refused.
func (w *world) apply(op ops.Op) (record int64, ok bool) {
	w.Helper()
	p, err := op.Plan(w.Context(), w.db, func(int, int, string) {})
	if err == nil {
		record, err = ops.Apply(w.Context(), w.db, p)
	}
	w.step("%s: %v", op.Name(), err)
	return record, err == nil
}

// drains fails where the host can't compact a copy of the file to the end.
func (w *world) drains(after string) {
	w.Helper()
	h, err := fakehost.Start(testdb.Copy(w.T, w.path), small)
	w.check(err)
	defer h.Close()
	if calls, err := h.Drain(1, 12); err != nil {
		w.Errorf("after %s: %d calls, %v\n%s", after, calls, err, w.story())
	}
}

// TestOldGapsAreFoundAndClosed: what earlier versions left is an error on files of 1.0, which
// every repair closes; then the host compacts again.
func TestOldGapsAreFoundAndClosed(t *testing.T) {
	t.Parallel()
	for _, where := range []func(*data.DB){testdb.BesideHost, testdb.WithoutHost} {
		w := newWorldOf(t, rand.New(rand.NewPCG(7, 23)), fakehost.Beta) //nolint:gosec // The same every time.
		w.finish()
		w.check(w.host.Exec("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal = 1 + (SELECT min(ordinal) FROM context_items WHERE conversation_id = 1)"))
		where(w.db)
		d, err := integrity.Check(t.Context(), w.db, integrity.Request{Conversation: 1}, nil)
		w.check(err)
		found := false
		for _, f := range d.Findings {
			found = found || f.Fault == integrity.ContextOrdinalGaps && f.Severity == integrity.Error
		}
		if !found {
			t.Error("the gap isn't found")
		}
		if _, ok := w.apply(&repair.Op{Conversation: 1}); !ok {
			t.Fatal(w.story())
		}
		w.drains("the repair")
	}
}
