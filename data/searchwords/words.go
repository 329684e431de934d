package searchwords

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// isWordRune reports whether the search tables take a character for a part of a word: letters,
// digits, private characters, and the emoji that Unicode 6.1 didn't have.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.Co) || 0x1F3FB <= r && r <= 0x1F3FF || 0x1F900 <= r && r <= 0x1FAFF
}

// isAccent reports whether a character is an accent of the one before it.
func isAccent(r rune) bool { return 0x300 <= r && r <= 0x331 }

// Next returns where the first word of a text at or after from begins and ends, in bytes; ok is false where there is none.
func Next(text string, from int) (start, end int, ok bool) {
	i := from
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if isWordRune(r) {
			break
		}
		i += n
	}
	if i == len(text) {
		return 0, 0, false
	}
	start = i
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			if !isWordRune(rune(c)) {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !isWordRune(r) && !isAccent(r) {
			break
		}
		i += n
	}
	return start, i, true
}

// All returns the words of a text, in lower case and without accents.
func All(text string) (out []string) {
	for start, end, ok := Next(text, 0); ok; start, end, ok = Next(text, end) {
		out = append(out, Fold(text[start:end]))
	}
	return out
}

// Fold returns a word in lower case and without accents, as the search tables compare it.
func Fold(word string) string {
	ascii, lower := true, true
	for i := range len(word) {
		c := word[i]
		ascii = ascii && c < utf8.RuneSelf
		lower = lower && (c < 'A' || c > 'Z')
	}
	switch {
	case ascii && lower:
		return word
	case ascii:
		return strings.ToLower(word)
	}
	var b strings.Builder
	for _, r := range word {
		if r >= lastWithAccent {
			b.WriteRune(unicode.ToLower(r))
			continue
		}
		for _, part := range norm.NFD.String(string(r)) {
			if !isAccent(part) && !unicode.Is(unicode.Mn, part) {
				b.WriteRune(unicode.ToLower(part))
			}
		}
	}
	return b.String()
}

// lastWithAccent is behind the last letter whose accent the search tables leave out: beyond it a
// mark makes another letter, as in Japanese.
const lastWithAccent = 0x2000

// Stems returns the words of a text as the search tables of words know them: in lower case, without accents, and
// reduced to their stems.
func Stems(text string) []string {
	out := All(text)
	for i, w := range out {
		out[i] = Stem(w)
	}
	return out
}
