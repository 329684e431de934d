package read

import "testing"

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
