package redact

import (
	"math"
	"strings"
)

// entropy returns how many bits one character of a text carries, by how often each byte stands in it:
// 0 for "aaaa", about 4.5 for a random word of 40 letters and digits.
func entropy(s string) (bits float64) {
	if s == "" {
		return 0
	}
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	total := float64(len(s))
	for _, n := range counts {
		if n > 0 {
			share := float64(n) / total
			bits -= share * math.Log2(share)
		}
	}
	return bits
}

func isDigit(b byte) bool  { return b >= '0' && b <= '9' }
func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func isWord(b byte) bool   { return isDigit(b) || isLetter(b) || b == '_' }

// hasDigitAndLetter reports whether a value has both.
func hasDigitAndLetter(s string) bool {
	digit, letter := false, false
	for i := range len(s) {
		digit = digit || isDigit(s[i])
		letter = letter || isLetter(s[i])
	}
	return digit && letter
}

// looksRandom reports whether a value has letters of both cases, or letters and digits, which
// the rest of a name seldom has.
func looksRandom(s string) bool {
	return hasDigitAndLetter(s) || strings.ToLower(s) != s && strings.ToUpper(s) != s
}
