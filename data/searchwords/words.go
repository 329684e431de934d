package searchwords

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// isWordRune reports whether the search tables take a character for a part of a word.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return wordRunes.has(r)
}

// isAccent reports whether a character is an accent of the one before it.
func isAccent(r rune) bool { return accents.has(r) }

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
		if !isAccent(r) {
			b.WriteRune(foldRune(r))
		}
	}
	return b.String()
}

// foldRune returns a character in lower case and without its accent. The search tables take an accent from letters of ASCII alone, and
// one of them at most: "é" is "e", while "й", "ά" and "ế" are letters of their own.
func foldRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return unicode.ToLower(r)
	case newCapitals.has(r):
		return r
	}
	if same, ok := sameLetters[r]; ok {
		return same
	}
	r = unicode.ToLower(r)
	parts := norm.NFD.String(string(r))
	if base, n := utf8.DecodeRuneInString(parts); base < utf8.RuneSelf && n < len(parts) && utf8.RuneCountInString(parts) == 2 {
		return base
	}
	return r
}

// sameLetters are other forms of letters, such as the sigma at the end of words.
var sameLetters = map[rune]rune{
	'µ': 'μ', 'ſ': 's', 'ς': 'σ', 'ϐ': 'β', 'ϑ': 'θ', 'ϕ': 'φ', 'ϖ': 'π', 'ϰ': 'κ', 'ϱ': 'ρ', 'ϵ': 'ε', 'ẛ': 's', '\u1fbe': 'ι',
}

// Stems returns the words of a text as the search tables of words know them: in lower case, without accents, and
// reduced to their stems.
func Stems(text string) []string {
	out := All(text)
	for i, w := range out {
		out[i] = Stem(w)
	}
	return out
}
