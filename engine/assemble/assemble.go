package assemble

import (
	"context"
	"time"

	"lcm-tui/data"
)

// Options say what to assemble a context for.
type Options struct {
	Budget int64 // Tokens.
	Tail   Tail  // What stays whatever it takes.
	// PromptAware evicts what has least to do with Prompt, instead of the oldest. A
	// prompt without words changes nothing.
	PromptAware bool
	Prompt      string
	Location    *time.Location // Of the times in summaries; nil for UTC.
	// StubLargePayloads shows, outside of the fresh tail, a reference in place of a
	// tool's result that lies in a file.
	StubLargePayloads bool
}

// Result is a context as a model is shown it.
type Result struct {
	Messages  []Message
	Estimated int64 // Tokens of what was kept, before calls and results were paired.
	Stats     Stats
	Kept      int // Items of the context that were kept, of Stats.TotalItems.
	// Warnings are about rows that could only be shown in part.
	Warnings []string
}

// Stats count what of a context can be shown, before anything is evicted.
type Stats struct {
	RawMessages int `json:"raw_messages"`
	Summaries   int `json:"summaries"`
	TotalItems  int `json:"total_items"` // With the focus brief, if one is active.
}

// Assemble shows a conversation's context as the reference engine 0.15.3 would, or the
// first versions or the betas of 1.0 where the file is theirs: it drops what can't be
// resolved, evicts what doesn't fit the budget, rebuilds the messages from their parts,
// and pairs calls of tools with their results. Bad rows cost a warning.
func Assemble(ctx context.Context, db *data.DB, conv int64, o Options) (Result, error) {
	c, err := newContents(ctx, db, conv, o)
	if err != nil {
		return Result{}, err
	}
	return c.assemble(ctx)
}

func (c *contents) assemble(ctx context.Context) (Result, error) {
	defer c.stopReadAhead()
	kept, err := c.choose(ctx)
	if err != nil {
		return Result{}, err
	}
	r := Result{Stats: c.stats()}
	turns := make([]selectedMessage, 0, len(kept))
	for i, k := range kept {
		it := &c.items[i]
		if !k || it.gone {
			continue
		}
		r.Estimated += it.tokens
		r.Kept++
		turns = append(turns, selectedMessage{Message: it.message, fresh: i >= c.tail})
	}
	if r.Messages, err = c.finish(ctx, turns); err != nil {
		return Result{}, err
	}
	r.Warnings = c.warnings.list()
	return r, nil
}

// finish makes what is sent of the messages that were selected.
func (c *contents) finish(ctx context.Context, turns []selectedMessage) ([]Message, error) {
	if c.first != nil {
		return c.first.pair(messagesOf(turns)), nil
	}
	last := answers(turns)
	if err := c.evicted(ctx, open(turns, last), last); err != nil {
		return nil, err
	}
	return pair(withoutBlank(withoutUnanswered(turns, last))), nil
}

func messagesOf(turns []selectedMessage) []Message {
	out := make([]Message, len(turns))
	for i, t := range turns {
		out[i] = t.Message
	}
	return out
}

// choose says which items stay.
func (c *contents) choose(ctx context.Context) (kept []bool, err error) {
	tokens := func(i int) (int64, error) { return c.tokens(ctx, i) }
	role := func(i int) (string, bool) { return c.items[i].Role, c.items[i].isMessage() }
	if c.first != nil {
		c.tail = c.first.start(len(c.items), c.o.Tail)
	} else if c.tail, err = c.o.Tail.Start(len(c.items), role, tokens); err != nil {
		return nil, err
	}
	if c.tail < len(c.items) {
		if err := c.load(ctx, c.tail); err != nil {
			return nil, err
		}
	}
	s := selection{n: len(c.items), tail: c.tail, pinned: c.pinned, budget: c.o.Budget}
	kept, err = s.keepNewest(tokens)
	if r := newRelevance(c.o.Prompt); err == nil && c.o.PromptAware && len(r.words) > 0 && !all(kept) {
		for i := range c.items {
			if _, err := tokens(i); err != nil { // Reads and stubs.
				return nil, err
			}
		}
		return s.keepBest(tokens, func(i int) float64 { return r.score(c.items[i].text) })
	}
	return kept, err
}

func all(kept []bool) bool {
	for _, k := range kept {
		if !k {
			return false
		}
	}
	return true
}
