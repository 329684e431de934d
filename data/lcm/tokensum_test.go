package lcm_test

import (
	"math"
	"testing"

	"lcm-tui/data/lcm"
)

// TestSumsOfTokensStayAtTheLargestNumber: a database may have any number.
func TestSumsOfTokensStayAtTheLargestNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want int64 }{
		{2, 3, 5},
		{2, -3, -1},
		{math.MaxInt64, 1, math.MaxInt64},
		{math.MaxInt64 - 1, 1, math.MaxInt64},
		{math.MaxInt64, -1, math.MaxInt64 - 1},
		{math.MinInt64, -1, math.MinInt64},
		{-1, math.MinInt64, math.MinInt64},
		{math.MinInt64, 1, math.MinInt64 + 1},
	} {
		if got := lcm.AddTokens(c.a, c.b); got != c.want {
			t.Errorf("%d and %d are %d, want %d", c.a, c.b, got, c.want)
		}
	}
	if got := lcm.SumTokens([]lcm.ContextItem{{Tokens: math.MaxInt64}, {Tokens: 7}}); got != math.MaxInt64 {
		t.Errorf("the items have %d tokens", got)
	}
}
