package retrieve

import (
	"strings"
	"unicode/utf8"
)

// WithoutControls returns recalled text without NUL and the other control characters, except line feed and
// tab, and without broken UTF-8. A model sees no difference, and a terminal that shows its work
// obeys none of them.
func WithoutControls(text string) string {
	clean := true
	for i := 0; i < len(text) && clean; i++ {
		clean = text[i] >= ' ' && text[i] != 0x7f && text[i] < utf8.RuneSelf || text[i] == '\n' || text[i] == '\t'
	}
	if clean {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r >= ' ' && (r < 0x7f || r > 0x9f) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
