package retrieve

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode is a text as JavaScript decodes it: each longest run of bytes that begins a character
// but doesn't end it, and each byte that begins none, is one U+FFFD.
func decode(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			n = begun(s[i:])
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

// begun is how many bytes at the start of s begin a character that isn't there, at least 1.
func begun(s string) int {
	n := 1
	for n < len(s) && n < utf8.UTFMax-1 && !utf8.FullRuneInString(s[:n]) {
		n++
	}
	for n > 1 && utf8.FullRuneInString(s[:n]) { // Those bytes aren't the beginning of any.
		n--
	}
	return n
}

// wholeCharacters is a piece of a file up to its last whole character, as the reference engine
// cuts it: bytes that continue no character are cut off as well.
func wholeCharacters(b []byte) []byte {
	lead := len(b) - 1
	for lead >= 0 && !utf8.RuneStart(b[lead]) {
		lead--
	}
	if lead < 0 {
		return nil
	}
	size := 1
	switch c := b[lead]; {
	case c >= 0xf0:
		size = 4
	case c >= 0xe0:
		size = 3
	case c >= 0xc0:
		size = 2
	}
	if lead+size > len(b) {
		return b[:lead]
	}
	return b[:lead+size]
}

// units is the length of a text in UTF-16 units, which JavaScript counts.
func units(s string) (n int) {
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}
