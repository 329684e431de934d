package cli

import (
	"testing"

	"lcm-tui/ops"
)

// TestImpactCountsTokensOnlyWhereTheyAreKnown: a command of one's own counts none.
func TestImpactCountsTokensOnlyWhereTheyAreKnown(t *testing.T) {
	t.Parallel()
	const begin = "context items 0 → 0, tokens 0 → 0 (0), model calls 3"
	for want, i := range map[string]ops.Impact{
		begin:                       {ModelCalls: 3},
		begin + " (10t in, 2t out)": {ModelCalls: 3, InputTokens: 10, OutputTokens: 2},
	} {
		if got := impactLine(i); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
