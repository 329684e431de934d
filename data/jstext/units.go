package jstext

import (
	"iter"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Units returns a text as JavaScript holds it, in UTF-16 code units.
func Units(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for _, r := range s {
		out = utf16.AppendRune(out, r)
	}
	return out
}

// FromUnits returns the text of UTF-16 code units. Half a surrogate pair is U+FFFD, as where
// JavaScript writes it as UTF-8.
func FromUnits(units []uint16) string {
	ascii := true
	for _, u := range units {
		ascii = ascii && u < utf8.RuneSelf
	}
	var b strings.Builder
	b.Grow(len(units))
	if ascii {
		for _, u := range units {
			b.WriteByte(byte(u))
		}
		return b.String()
	}
	for _, r := range utf16.Decode(units) {
		b.WriteRune(r)
	}
	return b.String()
}

// Length returns the length of a text in UTF-16 code units.
func Length(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// Slice returns the code units of a text from one up to another, as JavaScript's slice gives them:
// what lies outside of the text isn't there.
func Slice(s string, from, to int) string {
	from, to = max(from, 0), min(to, len(s))
	if isASCII(s) {
		if from >= to {
			return ""
		}
		return s[from:to]
	}
	units := Units(s)
	if to = min(to, len(units)); from >= to {
		return ""
	}
	return FromUnits(units[from:to])
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Decode returns a text of bytes that should be UTF-8. Each longest part of a character that isn't
// one is U+FFFD, as JavaScript's decoder replaces it.
func Decode(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range Runes(s) {
		b.WriteRune(r)
	}
	return b.String()
}

// Runes returns the characters of a decoded text, each with where it begins in the text as it is.
func Runes(s string) iter.Seq2[int, rune] {
	return func(yield func(int, rune) bool) {
		for i := 0; i < len(s); {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				n = malformed(s[i:])
			}
			if !yield(i, r) {
				return
			}
			i += n
		}
	}
}

// malformed returns how many bytes at the beginning of s are the beginning of one character.
func malformed(s string) int {
	low, high, more := byte(0x80), byte(0xbf), 0
	switch c := s[0]; {
	case c >= 0xc2 && c <= 0xdf:
		more = 1
	case c >= 0xe0 && c <= 0xef:
		more = 2
	case c >= 0xf0 && c <= 0xf4:
		more = 3
	}
	switch s[0] { // No overlong forms, surrogates, or what lies beyond U+10FFFF.
	case 0xe0:
		low = 0xa0
	case 0xed:
		high = 0x9f
	case 0xf0:
		low = 0x90
	case 0xf4:
		high = 0x8f
	}
	n := 1
	for ; n <= more && n < len(s) && s[n] >= low && s[n] <= high; n++ {
		low, high = 0x80, 0xbf
	}
	return n
}
