package cli

import (
	"testing"

	"lcm-tui/ops"
)

// TestAShareOfATinyBudgetHasNoEndlessDigits: beyond some size only that it is over counts.
func TestAShareOfATinyBudgetHasNoEndlessDigits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		tokens, budget int64
		want           string
	}{{0, 100, "0%"}, {50, 100, "50%"}, {999, 100, "999%"}, {98_210, 1, "over 999%"}} {
		if got := percentOf(test.tokens, test.budget); got != test.want {
			t.Errorf("%d of %d: %s, want %s", test.tokens, test.budget, got, test.want)
		}
	}
}

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
