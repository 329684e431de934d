package sessionkey_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/sessionkey"
)

// TestNewNamesDepthsThatMakeADifference: each keeps fewer summaries than the one before, from all to none.
func TestNewNamesDepthsThatMakeADifference(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit string
		want []string
	}{
		"one depth":       {"UPDATE summaries SET depth = 2", []string{"all summaries stay", "no summary stays"}},
		"two far apart":   {"UPDATE summaries SET depth = CASE WHEN summary_id = (SELECT min(summary_id) FROM context_items WHERE conversation_id = 1) THEN 7 ELSE 1 END", []string{"all summaries stay", "summaries of depth 2 and above stay", "no summary stays"}},
		"deeper than any": {"UPDATE summaries SET depth = 4000", []string{"all summaries stay", "no summary stays"}},
		"none":            {"DELETE FROM context_items WHERE summary_id IS NOT NULL", []string{"all summaries stay"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.V0_15)
			testdb.Execute(t, path, c.edit)
			op := &sessionkey.New{Conversation: 1, Retain: sessionkey.KeepNone}
			p, err := op.Plan(t.Context(), openAlone(t, path, time.Now()), noReport)
			must(t, err)
			var got []string
			for _, note := range p.Notes {
				if rest, ok := strings.CutPrefix(note, "where "); ok {
					depth, _, _ := strings.Cut(rest, ", ")
					got = append(got, depth)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
