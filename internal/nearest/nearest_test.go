package nearest_test

import (
	"testing"

	"lcm-tui/internal/nearest"
)

// TestDistance counts a swap of neighbours as one difference.
func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"count", "count", 0}, {"cuont", "count", 1}, {"coutn", "count", 1}, {"conut", "count", 1}, {"kitten", "sitting", 3}} {
		if got := nearest.Distance(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %d, not %d", c.a, c.b, got, c.want)
		}
	}
}

// TestWord: the nearest one, not too far, and never one that shares nothing with the word.
func TestWord(t *testing.T) {
	t.Parallel()
	known := []string{"freshTailCount", "freshTailMaxTokens", "LCM_LOG_FILE", "TZ"}
	for word, want := range map[string]string{
		"freshTailCuont": "freshTailCount", "fresh_tail_count": "freshTailCount", "FRESHTAILCOUNTS": "freshTailCount", "freshTail": "",
		"LCM_LOGFILE": "LCM_LOG_FILE", "LCM_LOG_FIEL": "LCM_LOG_FILE", "ab": "", "": "",
	} {
		if got := nearest.Word(word, known, 2); got != want {
			t.Errorf("%q: %q, not %q", word, got, want)
		}
	}
}
