package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"lcm-tui/engine/summarize"
)

// caller makes one call and gives what was answered. With an error the answer
// still says what it cost.
type caller interface {
	call(ctx context.Context, r summarize.Request) (answer, error)
}

// answer is what came back.
type answer struct {
	text    string
	in, out int64 // Tokens; 0 is unknown.
	cost    float64
	priced  bool
}

// asking is a model that is asked: with a time limit, again after failures that
// pass, and with a look at what it answers.
type asking struct {
	caller
	key            Secret // Taken out of what is answered.
	name, provider string
	identity       func() string
	timeout        time.Duration
	retry          Retry
	price          *Price // nil is unknown.
	once           bool   // A program is run once for a summary.
}

const defaultTimeout = time.Minute

func (a *asking) Name() string { return a.name }

// Identity implements summarize.Identified.
func (a *asking) Identity() string { return a.identity() }

// Price implements summarize.Pricer.
func (a *asking) Price(in, out int64) (dollars float64, known bool) {
	if a.price == nil {
		return 0, false
	}
	return a.price.cost(in, out), true
}

// Summarize asks. One that needs more room for its answer is for the caller to
// ask again: the error wraps summarize.ErrIncomplete.
func (a *asking) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	r.MaxTokens = room(r)
	got, err := a.patiently(ctx, r)
	return a.reply(got), err
}

// room is how long the answer may get.
func room(r summarize.Request) int {
	const least = 256
	return max(r.MaxTokens, r.Target, least)
}

func (a *answer) add(b answer) {
	a.in, a.out, a.cost = a.in+b.in, a.out+b.out, a.cost+b.cost
}

func (a *asking) reply(got answer) summarize.Reply {
	reply := summarize.Reply{
		Text: got.text, Model: a.name, InputTokens: got.in, OutputTokens: got.out, Cost: got.cost, Priced: got.priced,
	}
	if !got.priced && a.price != nil && got.in+got.out > 0 {
		reply.Cost, reply.Priced = a.price.cost(got.in, got.out), true
	}
	return reply
}

// patiently makes a call again after failures that pass. What failed ones cost is
// in the answer.
func (a *asking) patiently(ctx context.Context, r summarize.Request) (answer, error) {
	if a.once {
		return a.attempt(ctx, r)
	}
	var spent answer
	var failed error
	p := newPace(a.retry)
	got, err := backoff.Retry(ctx, func() (answer, error) {
		got, err := a.attempt(ctx, r)
		if failed = err; err != nil {
			spent.add(got)
			err = p.judge(err)
		}
		return got, err
	}, backoff.WithBackOff(p), backoff.WithMaxTries(p.tries), backoff.WithMaxElapsedTime(0))
	switch {
	case err == nil:
		got.add(spent)
		return got, nil
	case ctx.Err() != nil:
		return spent, fmt.Errorf("ask %s: %w", a.provider, context.Cause(ctx))
	}
	return spent, failed
}

// attempt is one call within its time, and a look at the answer.
func (a *asking) attempt(ctx context.Context, r summarize.Request) (answer, error) {
	limit := a.timeout
	if limit <= 0 {
		limit = defaultTimeout
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	got, err := a.call(within, r)
	switch {
	case ctx.Err() != nil:
		return got, context.Cause(ctx)
	case err != nil && within.Err() != nil:
		return got, &Error{Kind: KindTimeout, Provider: a.provider, Message: "after " + limit.String(), cause: within.Err()}
	case err != nil:
		var e *Error
		if errors.As(err, &e) {
			e.Message = a.key.scrub(e.Message)
		}
		return got, err
	}
	got.text, err = a.accept(r, a.key.scrub(got.text))
	return got, err
}

// pace is how long to wait before the next try: what the vendor asks for, within
// reason, or ever longer.
type pace struct {
	*backoff.ExponentialBackOff
	tries    uint
	patience time.Duration
	last     *Error
}

func newPace(r Retry) *pace {
	p := &pace{ExponentialBackOff: backoff.NewExponentialBackOff(), tries: 4, patience: 30 * time.Second}
	p.InitialInterval, p.Multiplier, p.MaxInterval = 500*time.Millisecond, 2, 8*time.Second
	if r.Tries > 0 {
		p.tries = uint(r.Tries)
	}
	for into, from := range map[*time.Duration]time.Duration{&p.InitialInterval: r.First, &p.MaxInterval: r.Most, &p.patience: r.Patience} {
		if from > 0 {
			*into = from
		}
	}
	return p
}

// judge remembers what failed, and tells the retry where to end.
func (p *pace) judge(err error) error {
	if p.last = nil; errors.As(err, &p.last) && p.last.again() {
		return err
	}
	return backoff.Permanent(err)
}

// NextBackOff is asked by the retry.
func (p *pace) NextBackOff() time.Duration {
	d := p.ExponentialBackOff.NextBackOff()
	if p.last != nil && p.last.RetryAfter > 0 {
		return min(p.last.RetryAfter, p.patience)
	}
	return d
}
