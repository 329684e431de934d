package compact

import (
	"fmt"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/summarize"
)

// Reason says why a run stopped. Where the reference engine has words for it they
// are the same.
type Reason string

// The reasons.
const (
	BelowThreshold Reason = "below threshold"      // Not forced, and small enough.
	UnderTarget    Reason = "already under target" // The context is smaller than the target.
	Nothing        Reason = "nothing to compact"   // Everything is in the fresh tail or condensed.
	Compacted      Reason = "compacted"            // All that was due is done.
	AtStop         Reason = "small enough to stop" // StopAt was reached.
	NoProgress     Reason = "a summary saved nothing"
	IterationCap   Reason = "stopped after the most summaries of one sweep"
	Deadline       Reason = "stopped at the deadline"
	StillOver      Reason = "compacted but still over target"
	// LiveOver says that the stored context is as small as it gets, and the live one
	// that the host saw isn't.
	LiveOver  Reason = "stored compaction exhausted but live context still exceeds target; transcript reset required"
	Refused   Reason = "the key was refused"
	Failed    Reason = "a call failed"
	Cancelled Reason = "cancelled"
)

// Outcome is what a run made: a value, nothing of which is in the database.
type Outcome struct {
	Conversation int64
	// Before is the context as it was, Context as it would be. What is in both has its
	// ordinal, and a new summary that of the last item that it stands for. They are the
	// same when there are no passes.
	Before, Context []lcm.ContextItem
	// New are the summaries made, in the order in which they were; each stands before
	// those made of it. Not all are in the context: a later pass may have condensed
	// them.
	New    []NewSummary
	Passes []Pass
	// TokensBefore and TokensAfter are the stored tokens of both contexts.
	TokensBefore, TokensAfter int64
	// Counted is what the reference engine would report as tokensAfter: it takes off
	// more than was stored for messages that name their sender.
	Counted int64
	Rounds  int // Of a run until a target.
	// Progress is how far the last sweep came.
	Progress Progress
	// Reached reports whether the context is at or below the target, of a run until
	// one.
	Reached   bool
	Condensed bool // At least one pass condensed.
	// Unsettled says that there were summaries which a request for settled ones left alone.
	Unsettled bool
	Level     summarize.Level
	Stopped   Reason
	Usage     summarize.Cost
}

// Acted reports whether the run made anything.
func (o Outcome) Acted() bool { return len(o.New) > 0 }

// NewSummary is a summary that isn't stored yet.
type NewSummary struct {
	lcm.Summary
	// Messages are the sources of a leaf, Sources those of a condensed summary, in
	// link order and once each.
	Messages []int64
	Sources  []string
}

// Pass is one step of a run: what was read, and the summary that was made of it.
type Pass struct {
	Kind    string // Of the summary: data.KindLeaf or data.KindCondensed.
	Depth   int64  // Of the summary.
	Round   int    // From 1; of a run until a target.
	Summary string // The id in Outcome.New.
	// First and Count are the places in the context that the summary took, counted
	// from 0 in the context as the pass found it.
	First, Count int
	// Source is the text that was summarized, Previous that of the summaries before.
	Source, Previous string
	Level            summarize.Level
	Fallback         bool // No model made the summary: it is the start of the source.
	Usage            summarize.Cost
	// TokensBefore and TokensAfter are the stored tokens of the whole context.
	TokensBefore, TokensAfter int64
}

// PartialError says that a run stopped before its end. The outcome that comes with
// it is what was made until then, and whole in itself.
type PartialError struct {
	Made int // Summaries.
	Err  error
}

func (e *PartialError) Error() string {
	if e.Made == 1 {
		return fmt.Sprintf("compaction stopped after 1 summary: %v", e.Err)
	}
	return fmt.Sprintf("compaction stopped after %d summaries: %v", e.Made, e.Err)
}

func (e *PartialError) Unwrap() error { return e.Err }
