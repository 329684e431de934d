package jstext_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"lcm-tui/data/jstext"
)

// TestWhiteSpaceIsTheSameInEveryForm: the characters, the test of one and the class of a regular
// expression say the same of every character.
func TestWhiteSpaceIsTheSameInEveryForm(t *testing.T) {
	t.Parallel()
	class := regexp.MustCompile("^[" + jstext.SpaceClass + "]$")
	for r := rune(0); r <= 0x10ffff; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		is := strings.ContainsRune(jstext.Space, r)
		if jstext.IsSpace(r) != is || r < 0x11000 && class.MatchString(string(r)) != is {
			t.Errorf("%U: in Space %v, IsSpace %v", r, is, jstext.IsSpace(r))
		}
	}
	if got := jstext.Trim("\ufeff \u00a0x\u0085\u3000\n"); got != "x\u0085" {
		t.Errorf("trimmed to %q", got)
	}
}

func TestLowerCase(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Ab Ж": "ab ж", "İ": "i̇", "ΟΔΟΣ ΣΟΦΟΥ": "οδος σοφου", "Σ": "σ", "1Σ": "1σ", "日Σ": "日σ", "ΑΣ日": "ας日", "Α.Σ": "α.ς", "ΑΣ'Α": "ασ'α",
		"ΑΣ\u0301": "ας\u0301", "ΑΣ\u0301Α": "ασ\u0301α", "ΑΣ\u00ad": "ας\u00ad", "ⒶΣ": "ⓐς", "ʰΣ": "ʰσ",
	} {
		if got := jstext.Lower(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
