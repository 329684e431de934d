package summarize

import (
	"context"
	"errors"
)

// Mode says how short a summary must be.
type Mode string

// The modes. Aggressive follows when a normal summary isn't smaller than its source.
const (
	Normal     Mode = "normal"
	Aggressive Mode = "aggressive"
)

// Request is one call of a model. A provider that takes a prompt sends System and
// Prompt; one that summarizes by itself works on Source.
type Request struct {
	System string
	Prompt string
	// Source is the text to be summarized, as it stands in Prompt.
	Source string
	// Previous is the text of the summaries just before, or empty.
	Previous string
	Kind     string // "leaf" or "condensed".
	Depth    int    // Of the node that is being made: 0 for a leaf.
	Mode     Mode
	// Attempt counts how often the user wanted another answer. It isn't sent; it only makes
	// the request another one for the cache.
	Attempt int
	// Target is the size wanted, MaxTokens the size at which the model is stopped.
	// Both in tokens.
	Target, MaxTokens int
}

// Reply is a complete answer of a model; its text isn't empty.
type Reply struct {
	Text string
	// Model is "provider/model", as it goes into the model column.
	Model string
	// InputTokens and OutputTokens are the vendor's counts; 0 is unknown.
	InputTokens, OutputTokens int64
	// Cost is in US dollars, if Priced.
	Cost   float64
	Priced bool
	// Calls is how many calls were made for it; 0 is one, unless the reply is Cached: it
	// comes from the cache, and took none.
	Calls  int
	Cached bool
}

// calls returns how many calls were made for a reply, or for the error in its place.
func (r Reply) calls(err error) int {
	if r.Calls > 0 || r.Cached || errors.Is(err, ErrLimit) || errors.Is(err, ErrNotAsked) {
		return r.Calls
	}
	return 1
}

// Identified is a Model whose answers depend on more than its name: on an address, or on a
// program with its arguments. Cached answers belong to this identity. It never contains a
// key.
type Identified interface {
	Model
	Identity() string
}

// Model summarizes. It may be called from several goroutines. It returns soon
// once ctx is done.
type Model interface {
	// Name is "provider/model".
	Name() string
	Summarize(ctx context.Context, r Request) (Reply, error)
}

// Pricer is a Model that knows what it would cost before it's asked.
type Pricer interface {
	Model
	// Price is in US dollars; known is false where no price is known.
	Price(inputTokens, outputTokens int64) (dollars float64, known bool)
}

// EstimateCost returns what calls would cost with m.
func EstimateCost(m Model, calls Cost) Cost {
	calls.Dollars, calls.Unpriced = 0, calls.Calls
	if dollars, known := Price(m, calls.InputTokens, calls.OutputTokens); known {
		calls.Dollars, calls.Unpriced = dollars, 0
	}
	return calls
}

// Price returns what a call of m would cost, if m is a Pricer.
func Price(m Model, inputTokens, outputTokens int64) (dollars float64, known bool) {
	p, ok := m.(Pricer)
	if !ok {
		return 0, false
	}
	return p.Price(inputTokens, outputTokens)
}

// ErrPermanent is wrapped by the error of a call after which no other can succeed: the
// key is refused, the quota used up, the model not known.
var ErrPermanent = errors.New("no further call can succeed")

// ErrNotAsked is wrapped by the error of a call that wasn't made, because none of the
// models can answer any more.
var ErrNotAsked = errors.New("no model was asked")

// ErrTokenLimitRaised is wrapped beside ErrIncomplete by the error of a call that was
// repeated with a higher token limit already.
var ErrTokenLimitRaised = errors.New("the token limit was raised already")

// ErrAuth is wrapped by the error of a call that was refused because of its key:
// no further call can succeed, and nothing is written in its place.
var ErrAuth = errors.New("the key was refused")
