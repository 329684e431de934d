package summarize

import (
	"cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/token"
	"lcm-tui/prompts"
)

// Job is one summary to be made.
type Job struct {
	// Depth is that of the summary: 0 for a leaf.
	Depth int
	// Source is what it is made of, by Form.Leaf or Form.Condensed. It isn't blank.
	Source string
	// Previous is what came before, by Previous, or empty.
	Previous string
	// Children is how many messages or summaries the source has, TimeRange what
	// stretch of time. Templates may speak of them.
	Children  int
	TimeRange string

	// TargetTokens is the configured size of leaves, or of condensed summaries.
	TargetTokens int
	// Overage is by how much a summary may exceed TargetTokens before it is cut; 0
	// never cuts.
	Overage float64
	// Fallback allows the start of the source to stand for a summary when no model
	// makes one. FallbackTokens is its size.
	Fallback       bool
	FallbackTokens int64

	// Template is another template than that of the depth and the mode; empty is theirs.
	Template string
	// Prompts are the templates; nil are those built in.
	Prompts *prompts.Set
	// Instructions are the operator's, or empty.
	Instructions string
	// Thinking gives the model room to think before it answers.
	Thinking bool
	// Attempt counts how often another answer was wanted.
	Attempt int
	// Estimator counts the tokens.
	Estimator token.Estimator
	// Masker takes secrets out of what a model is asked; nil takes none out.
	Masker Masker
}

// Masker replaces secrets in texts by placeholders.
type Masker interface {
	// Mask returns a text without its secrets, and how many there were.
	Mask(text string) (masked string, secrets int)
}

// mask takes the secrets out of a request, and says how many the prompt had.
func (j Job) mask(r Request) (masked Request, secrets int) {
	if j.Masker == nil {
		return r, 0
	}
	r.Prompt, secrets = j.Masker.Mask(r.Prompt)
	for _, text := range []*string{&r.System, &r.Source, &r.Previous} { // The prompt has the last two.
		*text, _ = j.Masker.Mask(*text)
	}
	return r, secrets
}

// Request returns what a model is asked in a mode.
func (j Job) Request(mode Mode) (Request, error) {
	set := j.Prompts
	if set == nil {
		set = new(prompts.Set)
	}
	r := Request{Source: j.Source, Previous: j.Previous, Kind: lcm.KindLeaf, Depth: j.Depth, Mode: mode, Attempt: j.Attempt}
	if j.Depth > 0 {
		r.Kind = lcm.KindCondensed
	}
	r.Target = j.Target(mode, j.Estimator.Count(j.Source))
	r.MaxTokens = r.Target
	if j.Thinking {
		r.MaxTokens += thinkingTokens
	}
	vars := prompts.Vars{
		TargetTokens: r.Target, PreviousContext: j.Previous, ChildCount: j.Children, TimeRange: j.TimeRange,
		Depth: j.Depth, SourceText: j.Source, CustomInstructions: j.Instructions,
	}
	var err error
	if r.System, err = set.Render(prompts.System, vars); err != nil {
		return Request{}, err
	}
	r.Prompt, err = set.Render(cmp.Or(j.Template, prompts.For(j.Depth, mode == Aggressive)), vars)
	return r, err
}
