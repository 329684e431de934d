package summarize

import "math"

// The least sizes that a model is asked for, in tokens: below them a summary says
// nothing.
const (
	leastLeaf       = 192
	leastAggressive = 96
	leastCondensed  = 512
)

// thinkingTokens are what a model may think aloud beside its answer.
const thinkingTokens = 2048

// Target returns the size to ask a model for, in tokens: of a leaf about a third of its
// source, and never more than what is configured.
func (j Job) Target(mode Mode, input int64) int {
	switch configured := max(leastLeaf, j.TargetTokens); {
	case j.Depth > 0:
		return max(leastCondensed, j.TargetTokens)
	case mode == Aggressive:
		return max(leastAggressive, min(share(int64(configured), 0.55), share(input, 0.2)))
	default:
		return max(leastLeaf, min(configured, share(input, 0.35)))
	}
}

// share returns a part of so many tokens, rounded down. It is not exact, as with the
// reference engine: 0.35 of 700 is 244.
func share(tokens int64, part float64) int { return int(part * float64(tokens)) }

// limit returns the most tokens that a summary may have: the configured target times
// the factor; 0 is no limit.
func (j Job) limit() int64 {
	if j.Overage <= 0 {
		return 0
	}
	return int64(math.Ceil(float64(j.TargetTokens) * j.Overage))
}
