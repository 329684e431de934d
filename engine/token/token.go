package token

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"lcm-tui/data/jstext"
)

// Estimator is one of the reference engine's two ways to estimate.
type Estimator uint8

// The estimators.
const (
	// Weighted counts, since 0.8, a CJK code point 1.5, one beyond the Basic
	// Multilingual Plane 2, and every other a quarter.
	Weighted Estimator = iota
	// Units counted, up to 0.7, a quarter for each UTF-16 unit. CJK text comes out
	// up to six times too low.
	Units
)

// QuartersPerToken is how many quarters a token has. Sums of quarters are exact.
const QuartersPerToken = 4

// What a code point costs, in quarters of a token.
const (
	quarter = 1
	cjk     = 6
	astral  = 8
)

// Count returns the estimate of a text in tokens, rounded up.
func (e Estimator) Count(text string) int64 {
	return (e.Quarters(text) + QuartersPerToken - 1) / QuartersPerToken
}

// Quarters returns the estimate of a text in quarters of a token, so that the sum over parts of a
// text is the estimate of the whole.
func (e Estimator) Quarters(text string) (n int64) {
	for _, r := range jstext.Decode(text) {
		n += e.weigh(r)
	}
	return n
}

// Truncate returns the longest start of text, in whole code points, whose estimate is
// at most limit; nothing for a limit below 1.
func (e Estimator) Truncate(text string, limit int64) string {
	if limit <= 0 {
		return ""
	}
	n := int64(0)
	for i, r := range jstext.Runes(text) {
		if n += e.weigh(r); n > limit*QuartersPerToken {
			return text[:i]
		}
	}
	return text
}

// weigh returns what a code point costs, in quarters.
func (e Estimator) weigh(r rune) int64 {
	switch {
	case e == Units:
		if r == utf8.RuneError {
			return quarter
		}
		return int64(utf16.RuneLen(r)) * quarter
	case isCJK(r):
		return cjk
	case r > 0xffff:
		return astral
	}
	return quarter
}

// isCJK follows the reference engine's list of ranges, of which the first and the
// largest come first here.
func isCJK(r rune) bool {
	switch {
	case r < 0x3000:
		return false
	case r <= 0x30ff, // Punctuation, Hiragana, Katakana.
		r >= 0x3400 && r <= 0x4dbf,
		r >= 0x4e00 && r <= 0x9fff,
		r >= 0xac00 && r <= 0xd7af,
		r >= 0xff00 && r <= 0xffef,
		r >= 0x20000 && r <= 0x2a6df,
		r >= 0x2a700 && r <= 0x2ebef:
		return true
	}
	return false
}

// Of returns the estimator of a file's level, such as "0.7.0": what writes to the file
// counts as its host does.
func Of(level string) Estimator {
	major, rest, _ := strings.Cut(level, ".")
	minor, _, _ := strings.Cut(rest, ".")
	if n, err := strconv.Atoi(minor); major == "0" && err == nil && n < 8 {
		return Units
	}
	return Weighted
}
