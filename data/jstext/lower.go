package jstext

import (
	"slices"
	"strings"
	"unicode"
)

// Lower returns a text in lower case as JavaScript makes it: a capital I with a dot keeps the dot, and a
// sigma that ends a word is a final one.
func Lower(s string) string {
	if strings.Contains(s, "Σ") {
		s = withFinalSigmas([]rune(s))
	}
	return strings.ToLower(strings.ReplaceAll(s, "İ", "i̇"))
}

func withFinalSigmas(text []rune) string {
	out := slices.Clone(text)
	for i, r := range text {
		if r == 'Σ' && nextToLetter(text, i, -1) && !nextToLetter(text, i, 1) {
			out[i] = 'ς'
		}
	}
	return string(out)
}

// nextToLetter reports whether a letter with a case stands before (-1) or behind (1) a place, with nothing
// but accents and signs within words between.
func nextToLetter(text []rune, at, step int) bool {
	at += step
	for at >= 0 && at < len(text) && isWithinWords(text[at]) {
		at += step
	}
	return at >= 0 && at < len(text) && unicode.In(text[at], unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func isWithinWords(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·\u0387՟״‘’․‧︓﹒﹕＇．：", r)
}
