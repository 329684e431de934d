package compact

import "lcm-tui/engine/summarize"

// Mode is one of the reference engine's ways to compact.
type Mode string

// The modes.
const (
	Sweep Mode = "sweep" // Leaves until no message is left outside the fresh tail, then condensing under pressure.
	Leaf  Mode = "leaf"  // One leaf, then one condensing of each depth that is due.
	Until Mode = "until" // Sweeps until the context is no larger than a target.
)

// Request says what to compact, and how far.
type Request struct {
	Mode   Mode
	Config Config
	// Budget is the context's, in tokens; 0 is the reference engine's default.
	Budget int64
	// Force compacts below the threshold too. A run until a target always does.
	Force bool
	// Hard condenses with the smaller fanout at once. Sweeps only.
	Hard bool
	// SingleRoot condenses on until one summary stands for the whole context, where no
	// message is left in it: two of a depth are enough, however small. Sweeps only.
	SingleRoot bool
	// StopAt ends a sweep once no more tokens than this are left; 0 is no limit.
	StopAt int64
	// Target is what a run until a target aims at; 0 is the budget.
	Target int64
	// Progress is that of another sweep, which this one goes on with; the zero value is for a sweep
	// of its own. Sweeps only.
	Progress Progress
	// Observed is how many tokens the host saw the live context take; 0 is unknown.
	Observed int64
	// Fallback lets the start of a source stand for its summary where the model
	// answers but makes none, as the reference engine does, and everywhere if there is
	// no model. A call that fails stops the run all the same.
	Fallback bool
	// Settled condenses only summaries that have been in their places for a while: no
	// pass builds on one before it, and a host that is compacting can't delete by their
	// ordinals what took their places.
	Settled bool
	// Choices are what the user decided on the summaries; nil is nothing.
	Choices *Choices
	// Job is what all calls have in common: the templates, and whether the model
	// thinks. The rest of it is filled in.
	Job summarize.Job
}

// Limits that the reference engine knows no setting for.
const (
	defaultBudget = 128_000 // Tokens.
	maxRounds     = 10      // Of a run until a target.

	// condensedMinShare of a leaf's chunk is the least that is worth condensing.
	condensedMinShare = 0.1
	// prefixShare of the threshold is what summaries may take before they are
	// condensed.
	prefixShare = 0.5
)

func (r Request) budget() int64 {
	if r.Budget > 0 {
		return r.Budget
	}
	return defaultBudget
}

func (r Request) target() int64 {
	if r.Target > 0 {
		return r.Target
	}
	return r.budget()
}

// Threshold returns the size in tokens above which a budget's context is compacted.
func (c Config) Threshold(budget int64) int64 { return int64(c.ContextThreshold * float64(budget)) }

// Due reports whether a context is to be compacted under a budget, all in tokens:
// if what is stored, or what the host saw the live one take, is above the
// threshold.
func (c Config) Due(stored, observed, budget int64) bool {
	return max(stored, observed) > c.Threshold(budget)
}

// prefixTarget returns how many tokens the summaries outside the fresh tail may take.
func (c Config) prefixTarget(budget int64) int64 {
	if c.SummaryPrefixTargetTokens > 0 {
		return c.SummaryPrefixTargetTokens
	}
	share := int64(prefixShare * float64(max(1, c.Threshold(budget))))
	return max(c.CondensedTargetTokens, min(c.LeafChunkTokens, share))
}

// fanout returns how many summaries of a depth it takes to condense them.
func (c Config) fanout(depth int64, hard bool) int {
	switch {
	case hard:
		return c.CondensedMinFanoutHard
	case depth == 0:
		return c.LeafMinFanout
	}
	return c.CondensedMinFanout
}

// condensedMinInput returns the least number of tokens that is condensed.
func (c Config) condensedMinInput() int64 {
	return max(c.CondensedTargetTokens, int64(condensedMinShare*float64(c.LeafChunkTokens)))
}

// unlimited is the limit of depths that none is above.
const unlimited = -1

// isBelow reports whether sources of a depth may be condensed under a limit of
// depths, of which a negative one is none.
func isBelow(depth int64, limit int) bool { return limit < 0 || depth < int64(limit) }
