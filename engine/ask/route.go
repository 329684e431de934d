package ask

import (
	"math"
	"strconv"

	"lcm-tui/internal/lazyregexp"
)

// Action is how a question is answered.
type Action string

// The actions.
const (
	AnswerDirectly    Action = "answer_directly"
	ExpandShallow     Action = "expand_shallow"
	DelegateTraversal Action = "delegate_traversal"
)

// Risk is how much of the token cap an expansion is likely to take.
type Risk string

// The risks.
const (
	RiskLow      Risk = "low"
	RiskModerate Risk = "moderate"
	RiskHigh     Risk = "high"
)

// Question is what a route depends on.
type Question struct {
	Text string
	// IsQuery says that candidates come from a search and were not named.
	IsQuery bool
	// Depth is how many levels are expanded; 0 is not said.
	Depth float64
	// Candidates is how many summaries are there to expand.
	Candidates      int
	IncludeMessages bool
	// TokenCap is how many tokens the expansion may take.
	TokenCap int64
}

// Route is how a question is answered, and why.
type Route struct {
	Action          Action  `json:"action"`
	EstimatedTokens int64   `json:"estimatedTokens"`
	Ratio           float64 `json:"-"`
	Risk            Risk    `json:"risk"`
	// BroadTime says that the question covers a long time, MultiHop that its answer joins facts.
	BroadTime bool `json:"broadTime"`
	MultiHop  bool `json:"multiHop"`
}

// The depths that a question may ask for.
const (
	defaultDepth = 3
	mostDepth    = 10
)

// The tokens that one summary is likely to take, and the factors on it.
const (
	tokensPerSummary  = 220
	factorMessages    = 1.9
	factorPerDepth    = 0.65
	factorBroad       = 1.35
	factorMultiHop    = 1.25
	ratioHigh         = 0.7
	ratioModerate     = 0.35
	multiHopDepth     = 3
	multiHopSummaries = 5
)

// RouteOf decides how a question is answered.
func RouteOf(q Question) Route {
	depth := routeDepth(q.Depth)
	r := Route{BroadTime: isBroad(q.Text), MultiHop: depth >= multiHopDepth || q.Candidates >= multiHopSummaries || joinsFacts.MatchString(q.Text)}
	estimate := tokensPerSummary * (1 + factorPerDepth*float64(depth-1)) * float64(max(0, q.Candidates))
	for _, f := range []struct {
		applies bool
		factor  float64
	}{{q.IncludeMessages, factorMessages}, {r.BroadTime, factorBroad}, {r.MultiHop, factorMultiHop}} {
		if f.applies {
			estimate *= f.factor
		}
	}
	r.EstimatedTokens = int64(math.Ceil(estimate - 1e-9)) // A product of decimals is a little more than it should be.
	r.Ratio = float64(r.EstimatedTokens) / float64(max(1, q.TokenCap))
	r.Risk = riskOf(r.Ratio)
	switch {
	case q.Candidates <= 0,
		q.IsQuery && depth <= 2 && q.Candidates <= 1 && r.Risk == RiskLow && !r.BroadTime && !r.MultiHop:
		r.Action = AnswerDirectly
	case r.Risk == RiskHigh, r.BroadTime && r.MultiHop:
		r.Action = DelegateTraversal
	default:
		r.Action = ExpandShallow
	}
	return r
}

func routeDepth(depth float64) int {
	if depth == 0 || math.IsNaN(depth) {
		return defaultDepth
	}
	return int(min(max(math.Trunc(depth), 1), mostDepth))
}

func riskOf(ratio float64) Risk {
	switch {
	case ratio >= ratioHigh:
		return RiskHigh
	case ratio >= ratioModerate:
		return RiskModerate
	}
	return RiskLow
}

var (
	longTime = lazyregexp.New(`(?i)\b(?:last|past)\s+(?:months?|quarters?|years?)\b` +
		`|\b(?:over|across|throughout)\s+(?:time|months|quarters|years)\b` +
		`|\b(?:timeline|chronology|history|long[- ]term)\b` +
		`|\bbetween\b.{1,40}\band\b.{1,40}`)
	joinsFacts = lazyregexp.New(`(?i)\broot cause\b|\bcausal chain\b|\bchain of events\b|\bmulti-(?:hop|step)\b|\bcross-summary\b|\bhow did\b.+\blead to\b`)
	year       = lazyregexp.New(`\b(?:19|20)\d\d\b`)
)

// isBroad reports whether a text asks about a long time: by its words, or by two years that lie
// two or more apart.
func isBroad(text string) bool {
	if longTime.MatchString(text) {
		return true
	}
	first, last := math.MaxInt, math.MinInt
	for _, y := range year.FindAllString(text, -1) {
		n, _ := strconv.Atoi(y) // Four digits.
		first, last = min(first, n), max(last, n)
	}
	return last-first >= 2 && last > 0
}
