package plural_test

import (
	"testing"

	"lcm-tui/internal/plural"
)

func TestCountHasItsNounAndSeparators(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{-1: "-1 rows", 0: "0 rows", 1: "1 row", 2: "2 rows", 4147: "4,147 rows"} {
		if got := plural.Count(n, "row", "rows"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
		if got := plural.Count(int(n), "row", "rows"); got != want {
			t.Errorf("%d as an int: %q, want %q", n, got, want)
		}
	}
}
