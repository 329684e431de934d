package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// emojiStyle asks for the coloured form of the character before it. Behind an ASCII character, as in a keycap,
// terminals don't agree about the cells that this takes, and neither do those who count them here.
const emojiStyle = '\ufe0f'

// Sanitize makes stored text safe to print: a newline stays, a tab becomes four
// spaces, and whatever could steer the terminal or hide or reorder text (control
// codes, ESC, bidirectional overrides, zero-width formats, invalid UTF-8) is
// replaced by a visible sign. A digit in the form of an emoji is a plain digit. It leaves safe text alone: Sanitize(Sanitize(s)) is
// Sanitize(s).
func Sanitize(s string) string {
	at := firstUnsafe(s)
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:at])
	last, _ := utf8.DecodeLastRuneInString(s[:at])
	if at == 0 {
		last = ' '
	}
	for i := at; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\r' && i+1 < len(s) && s[i+1] == '\n':
		case r == emojiStyle && last < utf8.RuneSelf:
		case r == '\t':
			b.WriteString("    ")
			last = ' '
		default:
			last = visibleRune(r, last)
			b.WriteRune(last)
		}
		i += n
	}
	return b.String()
}

// firstUnsafe returns the place of the first byte that Sanitize may have to change, or
// -1. It is pessimistic about joiners.
func firstUnsafe(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\n' || c == 0x7f {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || isUnsafe(r) || r == emojiStyle && (i == 0 || s[i-1] < utf8.RuneSelf) {
			return i
		}
		i += n
	}
	return -1
}

// isUnsafe reports whether r must not reach the terminal as it is.
func isUnsafe(r rune) bool {
	switch {
	case r == '\n':
		return false
	case r == '\u2028' || r == '\u2029':
		return true
	case r >= 0xe0100 && r <= 0xe01ef: // Variation selectors that can hide data.
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r): // Visible.
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf)
}

// visibleRune returns what is printed for r after the printed rune last.
func visibleRune(r, last rune) rune {
	switch {
	case r == '\u200c' || r == '\u200d':
		if joinsCharacters(last) {
			return r
		}
		return utf8.RuneError
	case !isUnsafe(r):
		return r
	case r < ' ':
		return '\u2400' + r
	case r == 0x7f:
		return '\u2421'
	}
	return utf8.RuneError
}

// joinsCharacters reports whether a joiner after r means something: in emoji sequences
// and in the scripts that shape their letters.
func joinsCharacters(r rune) bool {
	if r < 0x600 || r == utf8.RuneError || r >= 0x2400 && r < 0x2440 {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.In(r, unicode.So, unicode.Sk)
}
