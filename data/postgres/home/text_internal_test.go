package home

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzText: what is encoded is valid for the server, and comes back.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", "plain", "nul \x00 in it", "bytes \xff\xfe", escape, escape + "00", escape + "..", "\x00" + escape + "é\x80"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		stored := encodeText(text)
		if !utf8.ValidString(stored) || strings.Contains(stored, "\x00") {
			t.Errorf("%q is stored as %q, which the server refuses", text, stored)
		}
		if back := decodeText(stored); back != text {
			t.Errorf("%q came back as %q", text, back)
		}
	})
}

func TestUsualTextsAreStoredAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", "日本語, é and \uFFFD", "\\x00"} {
		if got := encodeText(text); got != text {
			t.Errorf("%q is stored as %q", text, got)
		}
	}
}
