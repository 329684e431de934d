package integrity

import (
	"unicode/utf8"

	"lcm-tui/engine/token"
)

// estimateTokens is how many tokens a text has as hosts count now. Where it's nothing but
// plain letters both estimators agree, and it needn't be looked at letter by letter.
func estimateTokens(s string) int64 {
	if n := utf8.RuneCountInString(s); n == len(s) {
		return int64(n+3) / 4
	}
	return token.Weighted.Count(s)
}

// estimateTokensBefore08 is how many tokens a text had for hosts before 0.8.
func estimateTokensBefore08(s string) int64 {
	if n := utf8.RuneCountInString(s); n == len(s) {
		return int64(n+3) / 4
	}
	return token.Units.Count(s)
}
