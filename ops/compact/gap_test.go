package compact_test

import (
	"slices"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
)

// TestTheDoctorKnowsOurGaps: a summary at the last place of what it was made of is in
// order, and a gap that nothing explains is still said.
func TestTheDoctorKnowsOurGaps(t *testing.T) {
	t.Parallel()
	path, db, conv, _ := live(t, 20)
	apply(t, db, folding(conv, 12))
	items, err := db.Context(t.Context(), conv)
	if err != nil || items[0].Ordinal == 0 {
		t.Fatalf("no gap is left: %d, %v", items[0].Ordinal, err)
	}
	gaps := func() bool {
		r, err := integrity.Check(t.Context(), db, integrity.Request{Conversation: conv}, noReport)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(r.Findings, func(f integrity.Finding) bool { return f.Fault == "C05" })
	}
	if gaps() {
		t.Error("our own gap is a finding")
	}
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec("UPDATE context_items SET ordinal = ordinal + 3 WHERE ordinal = (SELECT max(ordinal) FROM context_items)"); err != nil {
		t.Fatal(err)
	}
	if !gaps() {
		t.Error("a gap that nothing explains isn't found")
	}
}
