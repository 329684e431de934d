package compact_test

import (
	"errors"
	"slices"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestCompactionLeavesNoGaps, beside a host or alone, also in a context that had some.
func TestCompactionLeavesNoGaps(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]func(*data.DB){"beside": testdb.BesideHost, "alone": testdb.WithoutHost} {
		path, db, conv, _ := live(t, 20)
		where(db)
		h, err := fakehost.Open(path)
		if err == nil {
			err = errors.Join(h.Exec("DELETE FROM context_items WHERE ordinal IN (14, 16)"), h.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		apply(t, db, folding(conv, 12))
		r, err := integrity.Check(t.Context(), db, integrity.Request{Conversation: conv}, noReport)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(r.Findings, func(f integrity.Finding) bool { return f.Fault == integrity.ContextOrdinalGaps }) {
			t.Errorf("%s: it left gaps", name)
		}
	}
}
