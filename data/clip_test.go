package data_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"lcm-tui/data"
)

// TestStartCutsBetweenCharacters: whatever the length and the script, what is left is
// the beginning, and ends with a whole character.
func TestStartCutsBetweenCharacters(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", "grüße", "数据库已损坏", "a😀b😀c", "한국어 텍스트", strings.Repeat("…", 90)} {
		for n := -1; n <= len(text)+1; n++ {
			got := data.StartOfText(text, n)
			if !strings.HasPrefix(text, got) || !utf8.ValidString(got) || len(got) > max(0, n) || n-len(got) >= utf8.UTFMax && len(got) < len(text) {
				t.Errorf("%q, %d bytes: %q", text, n, got)
			}
		}
	}
	if got := data.Preview(strings.Repeat("数", 200)); !utf8.ValidString(got) || got == "" || len(got) > 240 {
		t.Errorf("a preview of %d bytes: %q", len(got), got)
	}
}

// TestUnknownCodesAreNamed: a code of SQLite that we have no words for isn't the disk's
// fault.
func TestUnknownCodesAreNamed(t *testing.T) {
	t.Parallel()
	for code, want := range map[data.CodeError]string{18: "SQLITE_TOOBIG", 21: "SQLITE_MISUSE", 7: "SQLITE_NOMEM", 99: "99"} {
		if got := code.Error(); !strings.Contains(got, want) || strings.Contains(got, "disk") {
			t.Errorf("%d: %s", int(code), got)
		}
	}
}
