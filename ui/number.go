package ui

import (
	"math"
	"strconv"

	"github.com/dustin/go-humanize"
)

// Num returns n with thousands separators: 4,147.
func Num(n int64) string { return humanize.Comma(n) }

// Signed returns a difference: +4,147, -12 or 0.
func Signed(n int64) string {
	if n > 0 {
		return "+" + Num(n)
	}
	return Num(n)
}

// Tokens returns a number of tokens: 1,234t.
func Tokens(n int64) string { return Num(n) + "t" }

// Size returns a number of bytes in powers of ten: 1.8 GB.
func Size(bytes int64) string {
	if bytes < 0 {
		return "-" + humanize.Bytes(uint64(-bytes))
	}
	return humanize.Bytes(uint64(bytes))
}

// Percent returns a share, which is 1 for the whole, without decimals: 77%. From ten times the whole on it returns
// how many times that is: 12×.
func Percent(share float64) string {
	if math.IsNaN(share) {
		share = 0
	}
	if share >= 10 {
		return strconv.Itoa(int(min(999, share))) + "×"
	}
	return strconv.Itoa(int(max(0, share)*100+0.5)) + "%"
}
