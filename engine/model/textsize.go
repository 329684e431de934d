package model

import "unicode/utf8"

// perToken is how many quarters a token has. The engine's estimators stand in a
// package that this one doesn't know; these two are above and below them all, so
// what fits here fits there.
const perToken = 4

// maxSize is at least what any estimator counts, in quarters of a token: one for an
// ASCII byte, two for any other.
func maxSize(s string) (quarters int) {
	for i := range len(s) {
		quarters++
		if s[i] >= utf8.RuneSelf {
			quarters++
		}
	}
	return quarters
}

// minSize is at most what the weighted estimator counts: six quarters for the most
// common of CJK and beyond the Basic Multilingual Plane, one for any other code
// point.
func minSize(s string) (quarters int) {
	for _, r := range s {
		quarters++
		if r >= 0x3000 && r <= 0x30ff || r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af || r > 0xffff {
			quarters += 5
		}
	}
	return quarters
}

// clip cuts a text to so many quarters, at a space if one is near. One code point
// is always left.
func clip(s string, quarters int) string {
	if maxSize(s) <= quarters {
		return s
	}
	end, n, space := 0, 0, 0
	for i, r := range s {
		if n += maxSize(string(r)); n > quarters && i > 0 {
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
