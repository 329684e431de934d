package compact

// Config is the settings that decide compaction. The names in JSON are those of the
// host's configuration.
type Config struct {
	ContextThreshold          float64  `json:"contextThreshold"`   // The share of the budget above which to compact.
	FreshTailCount            int      `json:"freshTailCount"`     // Messages that are never compacted.
	FreshTailMaxTokens        *int64   `json:"freshTailMaxTokens"` // Nil is no limit.
	LeafChunkTokens           int64    `json:"leafChunkTokens"`    // Most source tokens of a leaf.
	LeafTargetTokens          int64    `json:"leafTargetTokens"`
	CondensedTargetTokens     int64    `json:"condensedTargetTokens"`
	LeafMinFanout             int      `json:"leafMinFanout"`      // Least leaves to condense.
	CondensedMinFanout        int      `json:"condensedMinFanout"` // Least summaries of depth 1 and more.
	CondensedMinFanoutHard    int      `json:"condensedMinFanoutHard"`
	SweepMaxDepth             int      `json:"sweepMaxDepth"`             // Sources of this depth aren't condensed; -1 is no limit.
	SummaryPrefixTargetTokens int64    `json:"summaryPrefixTargetTokens"` // 0 derives it.
	SummaryMaxOverageFactor   float64  `json:"summaryMaxOverageFactor"`   // A summary is cut at target × factor.
	FallbackMaxTokens         int64    `json:"fallbackMaxTokens"`
	MaxSweepIterations        int      `json:"maxSweepIterations"`
	SweepDeadlineMS           int64    `json:"sweepDeadlineMs"`
	UntilUnderDeadlineMS      int64    `json:"compactUntilUnderDeadlineMs"`
	CustomInstructions        string   `json:"customInstructions"`
	Timezone                  string   `json:"timezone"` // IANA name; empty is the system's.
	StripTags                 []string `json:"stripInjectedContextTags"`
}

// Defaults returns the reference engine's at 0.15.3.
func Defaults() Config {
	return Config{
		ContextThreshold: 0.75, FreshTailCount: 64, LeafChunkTokens: 20_000, LeafTargetTokens: 2400,
		CondensedTargetTokens: 2000, LeafMinFanout: 8, CondensedMinFanout: 4, CondensedMinFanoutHard: 2,
		SweepMaxDepth: 1, SummaryMaxOverageFactor: 3, FallbackMaxTokens: 512,
		MaxSweepIterations: 12, SweepDeadlineMS: 120_000, UntilUnderDeadlineMS: 300_000,
		StripTags: []string{"active_memory_plugin", "relevant-memories", "relevant_memories", "hindsight_memories"},
	}
}
