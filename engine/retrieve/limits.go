package retrieve

import "slices"

// Limits are what a caller may have beside its scope, such as what is left of a grant. The zero
// value limits nothing.
type Limits struct {
	Summaries []string // The summaries that may be expanded; empty is all.
	MaxDepth  *int64   // How deep an expansion may go.
	Tokens    *int64   // How many tokens are left.
}

// allows reports whether a summary may be expanded.
func (l Limits) allows(summary string) bool {
	return len(l.Summaries) == 0 || slices.Contains(l.Summaries, summary)
}

// clamp returns a value, or the limit where that is lower. Nil is no limit, and the result isn't below
// zero where there is one.
func clamp(value int64, limit *int64) int64 {
	if limit != nil {
		return max(0, min(value, *limit))
	}
	return value
}
