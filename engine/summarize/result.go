package summarize

import (
	"errors"
	"fmt"
)

// Level says how a summary was made. It isn't stored.
type Level string

// The levels.
const (
	LevelNormal     Level = "normal"
	LevelAggressive Level = "aggressive"
	LevelFallback   Level = "fallback" // By no model, because neither mode made it shorter.
	LevelCapped     Level = "capped"   // Far too long, and cut.
)

// Result is a summary and its cost.
type Result struct {
	Text   string
	Level  Level
	Tokens int64 // The estimate of Text.
	// Fallback says that no model made the text: it is the start of the source.
	Fallback bool
	Model    string
	Cost
}

// Cost is the cost of calls of models.
type Cost struct {
	Calls int // Calls that were answered or failed; not those that a limit refused.
	// InputTokens and OutputTokens are the vendor's counts, as far as known.
	InputTokens, OutputTokens int64
	// Dollars is the price of all calls of which it is known; Unpriced counts the
	// others.
	Dollars  float64
	Unpriced int
	// Cached counts the answers from the cache: no call was made for them.
	Cached int
	// Masked counts the secrets that were taken out of what was asked.
	Masked int
}

// add adds the cost of a call, which returned a reply or an error.
func (c *Cost) add(r Reply, err error) {
	calls := r.calls(err)
	c.Calls += calls
	if r.Cached {
		c.Cached++
	}
	c.InputTokens += r.InputTokens
	c.OutputTokens += r.OutputTokens
	c.Dollars += r.Cost
	if !r.Priced {
		c.Unpriced += calls
	}
}

// Plus returns the sum of two costs.
func (c Cost) Plus(o Cost) Cost {
	return Cost{
		c.Calls + o.Calls, c.InputTokens + o.InputTokens, c.OutputTokens + o.OutputTokens,
		c.Dollars + o.Dollars, c.Unpriced + o.Unpriced, c.Cached + o.Cached, c.Masked + o.Masked,
	}
}

// ErrIncomplete is wrapped by the error of a call whose answer was stopped at
// MaxTokens, or was empty. The call is made once more with twice as many tokens.
var ErrIncomplete = errors.New("the answer is not complete")

// NoSummaryError says that a model answered with a text that can't replace its source.
type NoSummaryError struct {
	Model string
	Why   string
	Err   error // Of the model, or nil.
}

func (e *NoSummaryError) Error() string { return e.Model + " made no summary: " + e.Why }

// Unwrap gives the cause.
func (e *NoSummaryError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *NoSummaryError) Hint() string {
	return "the old text stays; try another model"
}

// Withheld says how many secrets the model didn't see; it is empty where there were none.
func (c Cost) Withheld() string {
	switch c.Masked {
	case 0:
		return ""
	case 1:
		return "1 secret was replaced by a placeholder before the model saw it"
	}
	return fmt.Sprintf("%d secrets were replaced by placeholders before the model saw them", c.Masked)
}

// Saved says how many answers came from the cache; it is empty where none did.
func (c Cost) Saved() string {
	switch c.Cached {
	case 0:
		return ""
	case 1:
		return "1 answer is cached: it costs nothing"
	}
	return fmt.Sprintf("%d answers are cached: they cost nothing", c.Cached)
}

// Price returns what the calls cost, in words; an unknown price is named.
func (c Cost) Price() string {
	switch {
	case c.Unpriced == 0 && c.Dollars == 0:
		return "nothing"
	case c.Unpriced == c.Calls:
		return "unknown: no price is known of the model"
	case c.Unpriced > 0:
		return fmt.Sprintf("$%.4f, and %d calls of unknown price", c.Dollars, c.Unpriced)
	}
	return fmt.Sprintf("$%.4f", c.Dollars)
}
