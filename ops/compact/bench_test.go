package compact_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
)

// BenchmarkApply is what the write of a whole sweep takes and its undo, per 1,000
// rows that change: each is one transaction, and all of it lies within.
func BenchmarkApply(b *testing.B) {
	const messages = 4000
	path := filepath.Join(b.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		b.Fatal(err)
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
		for i := 0; i < messages && err == nil; i++ {
			_, err = h.Message(conv, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d: the pool stays at 24 for now, as we said before", i)})
		}
		return err
	})
	if err := errors.Join(err, h.Close()); err != nil {
		b.Fatal(err)
	}
	db, err := data.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	o := op(&brief{})
	o.Request.Config.MaxSweepIterations, o.Request.Config.SweepDeadlineMS = 0, 0
	p, err := o.Plan(b.Context(), db, noReport)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var apply, undo int64
	for b.Loop() {
		start := b.Elapsed()
		id, err := ops.Apply(b.Context(), db, p)
		if err != nil {
			b.Fatal(err)
		}
		done := b.Elapsed()
		if err := ops.Undo(b.Context(), db, id); err != nil {
			b.Fatal(err)
		}
		apply, undo = apply+int64(done-start), undo+int64(b.Elapsed()-done)
	}
	thousands := float64(len(p.Changes)) / 1000 * float64(b.N) * 1e6
	b.ReportMetric(float64(len(p.Changes)), "rows")
	b.ReportMetric(float64(apply)/thousands, "ms-apply/1000rows")
	b.ReportMetric(float64(undo)/thousands, "ms-undo/1000rows")
}
