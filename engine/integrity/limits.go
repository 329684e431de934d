package integrity

import (
	"math"
	"time"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
)

// Limits are the sizes and times beyond which something is a finding. They follow from the
// settings in force; a zero field stands for the host's default.
type Limits struct {
	LeafTokens      int64 // The most that a summary of messages may have.
	CondensedTokens int64 // The most that a summary of summaries may have.
	MessageTokens   int64 // A message of so many tokens belongs in a file.
	// Budget is the most tokens of a context, whatever budget the host noted for it; 0: no
	// limit but the noted budget.
	Budget int64
	// Running is how long a compaction may take.
	Running time.Duration
}

// What hosts use where nothing is set.
const (
	defaultBudget  = 128_000
	defaultRunning = time.Hour
	silentDays     = 30 // No setting says how long a conversation may be silent.
)

// LimitsOf returns the limits that follow from settings.
func LimitsOf(s settings.Settings) Limits {
	if len(s.All) == 0 {
		return Limits{}
	}
	c := s.Compaction()
	deadline := time.Duration(min(max(c.SweepDeadlineMS, c.UntilUnderDeadlineMS), int64(1000*time.Hour/time.Millisecond))) * time.Millisecond
	return Limits{
		LeafTokens:      maxSummaryTokens(c.LeafTargetTokens, c.SummaryMaxOverageFactor),
		CondensedTokens: maxSummaryTokens(c.CondensedTargetTokens, c.SummaryMaxOverageFactor),
		MessageTokens:   s.LargeFileTokens(),
		Budget:          s.Assembly().MaxBudget,
		Running:         max(defaultRunning, 2*deadline),
	}
}

// maxSummaryTokens returns the size at which hosts cut a summary of a target size.
func maxSummaryTokens(target int64, factor float64) int64 {
	return int64(min(math.Ceil(float64(target)*factor), math.MaxInt32))
}

// withDefaults has the host's defaults in place of zero fields. A zero Budget stays: it
// means no limit.
func (l Limits) withDefaults() Limits {
	standard := LimitsOf(settings.Load(func(string) string { return "" }, openclaw.Config{}, nil))
	for _, f := range []struct{ to, from *int64 }{
		{&l.LeafTokens, &standard.LeafTokens}, {&l.CondensedTokens, &standard.CondensedTokens}, {&l.MessageTokens, &standard.MessageTokens},
	} {
		if *f.to <= 0 {
			*f.to = *f.from
		}
	}
	if l.Running <= 0 {
		l.Running = standard.Running
	}
	return l
}

// budgetFor returns the most tokens that a context may have. noted is the budget that the host
// noted for it, or 0.
func (l Limits) budgetFor(noted int64) int64 {
	switch {
	case noted <= 0 && l.Budget > 0:
		return l.Budget
	case noted <= 0:
		return defaultBudget
	case l.Budget > 0:
		return min(noted, l.Budget)
	}
	return noted
}
