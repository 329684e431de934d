package searchwords

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// IsUnspaced reports whether a character is of a writing without blanks between words: Chinese, Japanese or Korean.
func IsUnspaced(r rune) bool {
	return r >= 0x1100 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

// Pairs returns the different pairs of neighbouring characters of unspaced writing in the words of a text. Every text that contains this
// one has them.
func Pairs(text string) (out []string) {
	for from, to, ok := Next(text, 0); ok; from, to, ok = Next(text, to) {
		word, before := text[from:to], -1
		for at, r := range word {
			if !IsUnspaced(r) {
				before = -1
				continue
			}
			if before >= 0 {
				if pair := word[before : at+utf8.RuneLen(r)]; !slices.Contains(out, pair) {
					out = append(out, pair)
				}
			}
			before = at
		}
	}
	return out
}
