package repair

import (
	"maps"

	"lcm-tui/engine/integrity"
	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
)

// Op repairs what a check finds: in Conversation, or with All in the file and in all its
// conversations, as one plan of which all is written or nothing. Without All, Conversation 0
// stands for what belongs to the file and to no conversation.
//
// Faults, Findings and Summaries narrow it: a finding has to be one of each list that isn't
// empty. The zero value of all three is everything that can be repaired without being named.
type Op struct {
	Conversation int64
	All          bool
	// Faults are the only kinds of findings to repair.
	Faults []integrity.FaultID
	// Findings are the only findings to repair, by Key or ID.
	Findings []string
	// Summaries are the ids of the only summaries whose findings are repaired.
	Summaries []string
	// Skip are findings that stay as they are, by Key, ID or fault, and summaries that keep
	// their text, by id. The other findings are repaired all the same. A model isn't asked
	// again for what it answered before, where the model keeps its answers (summarize.HasCache).
	Skip map[string]bool
	// Choices are the alternatives that the user chose, by Key, ID or fault: M01:14=drop.
	Choices map[string]string
	// Texts are given new texts of summaries, by id; no model is asked for them. Models are the models
	// that made them; one without was written by hand.
	Texts, Models map[string]string
	// Attempts is how often another text was asked for, by the id of the summary.
	Attempts map[string]int
	// FilesDir is where large files lie.
	FilesDir string
	// Limits are those of the settings in force, by integrity.LimitsOf.
	Limits integrity.Limits
	// Regenerate is how summaries are regenerated; without a model they stay as they are.
	Regenerate regenerate.Options

	found   []integrity.Finding // Of a check that was made for all conversations.
	checked bool                // There was one, and the names of the request are checked.
}

var (
	_ ops.Op        = (*Op)(nil)
	_ ops.Estimator = (*Op)(nil)
	_ ops.Decider   = (*Op)(nil)
)

const verb = "repair"

// Name implements ops.Op.
func (*Op) Name() string { return verb }

// Generating implements ops.Generator.
func (o *Op) Generating() ops.Op {
	next := *o
	next.Regenerate.Ask = true
	return &next
}

// Estimating implements ops.Estimator.
func (o *Op) Estimating() ops.Op {
	next := *o
	next.Regenerate.Ask = false
	return &next
}

// WithProgress returns the operation that records the state of each summary in progress.
func (o *Op) WithProgress(progress *regenerate.Progress) ops.Op {
	next := *o
	next.Regenerate.Items = progress
	return &next
}

// Without implements ops.Skipper: id is the ID of a finding or the id of a summary, which
// keeps its text.
func (o *Op) Without(id string) ops.Op {
	next := *o
	next.Skip = with(o.Skip, id, true)
	return &next
}

// Back implements ops.Skipper.
func (o *Op) Back(id string) ops.Op {
	next := *o
	next.Skip = without(o.Skip, id)
	return &next
}

// With implements ops.Chooser.
func (o *Op) With(id, text, model string) ops.Op {
	next := *o
	next.Texts, next.Models = with(o.Texts, id, text), with(o.Models, id, model)
	return &next
}

// Attempt implements ops.Chooser.
func (o *Op) Attempt(id string, n int) ops.Op {
	next := *o
	next.Texts, next.Attempts = without(o.Texts, id), with(o.Attempts, id, n)
	return &next
}

// Chosen implements ops.Chooser.
func (o *Op) Chosen(id string) (attempt int, given bool) {
	_, given = o.Texts[id]
	return o.Attempts[id], given
}

// Decide implements ops.Decider.
func (o *Op) Decide(item, alternative string) ops.Op {
	next := *o
	if next.Choices = without(o.Choices, item); alternative != "" {
		next.Choices = with(o.Choices, item, alternative)
	}
	return &next
}

// with returns a copy of a map with one more value.
func with[V any](m map[string]V, key string, v V) map[string]V {
	next := map[string]V{}
	maps.Copy(next, m)
	next[key] = v
	return next
}

// without returns a copy of a map that lacks a key.
func without[V any](m map[string]V, key string) map[string]V {
	next := maps.Clone(m)
	delete(next, key)
	return next
}
