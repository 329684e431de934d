package plural

import "github.com/dustin/go-humanize"

// integer is what the program counts with.
type integer interface{ ~int | ~int64 }

// Noun returns the singular of a noun for 1, else its plural. It serves texts in which the
// number stands elsewhere.
func Noun[N integer](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Number returns a number with thousands separators: 4,147.
func Number[N integer](n N) string { return humanize.Comma(int64(n)) }

// Count returns a number with the singular or the plural of its noun, and with thousands
// separators: 1 row, 4,147 rows.
//
// The noun may carry its verb, which agrees with the number as well: 1 row changes, 2
// rows change.
func Count[N integer](n N, one, many string) string {
	return humanize.Comma(int64(n)) + " " + Noun(n, one, many)
}
