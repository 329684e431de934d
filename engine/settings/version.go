package settings

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// isBefore reports whether one version of the host is older than another. What follows a blank or a dash, such as beta,
// doesn't count.
func isBefore(a, b string) bool { return compareVersions(a, b) < 0 }

// compareVersions compares two versions number by number; a number that isn't there is 0.
func compareVersions(a, b string) int {
	x, y := versionNumbers(a), versionNumbers(b)
	for len(x) < len(y) {
		x = append(x, 0)
	}
	for len(y) < len(x) {
		y = append(y, 0)
	}
	return slices.CompareFunc(x, y, cmp.Compare[int])
}

func versionNumbers(v string) (out []int) {
	v, _, _ = strings.Cut(v, " ")
	v, _, _ = strings.Cut(v, "-")
	for part := range strings.SplitSeq(v, ".") {
		n, _ := strconv.Atoi(part) // Anything else counts as 0.
		out = append(out, n)
	}
	return out
}
