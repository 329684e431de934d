package extractive

import (
	"unicode/utf8"

	"lcm-tui/engine/token"
)

// perToken is how many quarters a token has.
const perToken = token.QuartersPerToken

// size returns the size of a text in quarters of a token by the weighted estimator. The other
// one never counts more, so what fits by this one fits by both.
func size(s string) int { return int(token.Weighted.Quarters(s)) }

// clip cuts a text to so many quarters, at a space if one is near. One code point
// is always left.
func clip(s string, quarters int) string {
	if size(s) <= quarters {
		return s
	}
	end, n, space := 0, 0, 0
	for i, r := range s {
		if n += size(string(r)); n > quarters && i > 0 {
			break
		}
		end = i + utf8.RuneLen(r)
		if r == ' ' {
			space = i
		}
	}
	if space > end/2 {
		end = space
	}
	return s[:end]
}
