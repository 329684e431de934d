package token_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"lcm-tui/engine/token"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text            string
		weighted, units int64
	}{
		{"", 0, 0},
		{"a", 1, 1},
		{"abcd", 1, 1},
		{"abcde", 2, 2},
		{"日本", 3, 1},
		{"日本語の要約", 9, 2},
		{"한국어", 5, 1},
		{"𝄞", 2, 1},
		{"👩\u200d👧", 5, 2},
		{"a\xffb", 1, 1},
		{"𠀀𠀁", 3, 1}, // CJK comes before being astral.
		{"。！", 3, 1},
		{strings.Repeat("x", 4001), 1001, 1001},
	} {
		if got := token.Weighted.Count(c.text); got != c.weighted {
			t.Errorf("%.20q weighs %d, not %d", c.text, got, c.weighted)
		}
		if got := token.Units.Count(c.text); got != c.units {
			t.Errorf("%.20q has %d by units, not %d", c.text, got, c.units)
		}
	}
}

func FuzzTruncate(f *testing.F) {
	f.Add("日本語 and 𝄞 and a\xffb", int64(3))
	f.Fuzz(func(t *testing.T, s string, limit int64) {
		for _, e := range []token.Estimator{token.Weighted, token.Units} {
			cut := e.Truncate(s, limit)
			if !strings.HasPrefix(s, cut) || e.Count(cut) > max(0, limit) {
				t.Fatalf("%q cut to %d is %q", s, limit, cut)
			}
			if rest := s[len(cut):]; rest != "" && limit > 0 {
				_, n := utf8.DecodeRuneInString(rest)
				if e.Count(cut+rest[:n]) <= limit {
					t.Fatalf("%q cut to %d is %q, which is too short", s, limit, cut)
				}
			}
		}
	})
}

// TestBytesThatAreNoCharacters: a host reads the longest start of a character that is cut off as one
// U+FFFD, and each other byte that is none as one.
func TestBytesThatAreNoCharacters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"\xf0\x9f\x98": 1, "\xe2\x82 \xe2\x82": 3, "\xed\xa0\xbd": 3, "\xff\xffa": 3} {
		for _, e := range []token.Estimator{token.Weighted, token.Units} {
			if got := e.Quarters(text); got != want {
				t.Errorf("%q: %d quarters, not %d", text, got, want)
			}
			if cut := e.Truncate(text+"bcdef", 1); cut != text+"bcd"[:4-want] {
				t.Errorf("%q is cut to %q", text, cut)
			}
		}
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]token.Estimator{
		"0.1.0": token.Units, "0.7.0": token.Units, "0.8.1": token.Weighted, "0.15.3": token.Weighted,
		"1.0 beta": token.Weighted, "": token.Weighted,
	} {
		if got := token.Of(level); got != want {
			t.Errorf("%q counts by %d", level, got)
		}
	}
}
