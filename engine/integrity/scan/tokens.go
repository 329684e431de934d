package scan

import (
	"unicode/utf8"

	"lcm-tui/engine/token"
)

// EstimateTokens is the number of tokens of a text as hosts count now. Both estimators
// agree on ASCII, which is counted without looking at each letter.
func EstimateTokens(s string) int64 {
	if n := utf8.RuneCountInString(s); n == len(s) {
		return int64(n+3) / 4
	}
	return token.Weighted.Count(s)
}

// EstimateTokensBefore08 is the number of tokens of a text as hosts before 0.8 counted.
func EstimateTokensBefore08(s string) int64 {
	if n := utf8.RuneCountInString(s); n == len(s) {
		return int64(n+3) / 4
	}
	return token.Units.Count(s)
}
