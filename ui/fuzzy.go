package ui

import (
	"strings"
	"unicode"
)

// LooksLikeID reports whether a text that was typed may be part of an id that lists don't
// show, such as a UUID: six or more hexadecimal digits, dashes left out. Filters compare
// such ids with no other text, so that what matches is what is seen.
func LooksLikeID(text string) bool {
	digits := strings.ReplaceAll(strings.TrimSpace(text), "-", "")
	return len(digits) >= 6 && strings.Trim(strings.ToLower(digits), "0123456789abcdef") == ""
}

// fuzzy tells how well text answers query: higher is better, and false is not
// at all. All letters of query must come in order; words that begin with them,
// and letters that follow each other, count more.
func fuzzy(query, text string) (score int, ok bool) {
	q, t := []rune(strings.ToLower(query)), []rune(strings.ToLower(text))
	at, run := 0, 0
	for i, r := range t {
		if at == len(q) {
			break
		}
		if r != q[at] {
			run = 0
			continue
		}
		at++
		run++
		score += 2 * run
		if i == 0 || !unicode.IsLetter(t[i-1]) {
			score += 8
		}
	}
	if at < len(q) {
		return 0, false
	}
	if i := strings.Index(string(t), string(q)); i >= 0 {
		score += 40 - min(i, 20)
	}
	return score - len(t)/8, true
}
