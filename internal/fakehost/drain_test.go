package fakehost_test

import (
	"errors"
	"testing"

	"lcm-tui/internal/fakehost"
)

// TestGapsStopBackgroundCompaction: a host of 1.0 publishes nothing across a gap, or pays for
// ever. A context that only begins behind 0 is compacted as any other.
func TestGapsStopBackgroundCompaction(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sql  []string
		want error
	}{
		"no gap": {},
		"a gap in the range of a batch": {
			[]string{"DELETE FROM context_items WHERE ordinal = 3"}, fakehost.ErrEndless,
		},
		"a gap before it": {
			[]string{
				"INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, created_at) VALUES ('sum_00000000000000a1', 1, 'leaf', 0, 'before', 5, '2026-01-05 09:00:00')",
				"UPDATE context_items SET item_type = 'summary', summary_id = 'sum_00000000000000a1', message_id = NULL WHERE ordinal = 0",
				"DELETE FROM context_items WHERE ordinal = 1",
			}, fakehost.ErrNoCoverage,
		},
		"it begins behind 0": {
			[]string{"UPDATE context_items SET ordinal = -1 - ordinal", "UPDATE context_items SET ordinal = 80 - ordinal"}, nil,
		},
	} {
		h := begin(t, fakehost.Beta, fakehost.Config{FreshTailCount: 4, LeafChunkTokens: 40})
		must[[]int64](t)(h.Append(1, turns(0, 20, false)...))
		for _, q := range c.sql {
			if err := h.Exec(q); err != nil {
				t.Fatal(name, err)
			}
		}
		calls, err := h.Drain(1, 8)
		if !errors.Is(err, c.want) || calls == 0 && !errors.Is(c.want, fakehost.ErrNoCoverage) {
			t.Errorf("%s: %d calls, %v, want %v", name, calls, err, c.want)
		}
	}
}
