package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"lcm-tui/engine/summarize"
)

// caller makes one call. With an error the answer still has the cost.
type caller interface {
	call(ctx context.Context, r summarize.Request) (answer, error)
}

// answer is the answer of one call.
type answer struct {
	text    string
	in, out int64 // Tokens; 0 is unknown.
	cost    float64
	priced  bool
}

// retryingModel calls a model with a time limit, repeats calls that failed for a
// short time only, and checks the answers.
type retryingModel struct {
	caller
	key            Secret // Removed from answers.
	name, provider string
	identity       func() string
	timeout        time.Duration
	retry          Retry
	price          *Price // nil is unknown.
	once           bool   // Whether a call is never repeated, as that of a program.
}

const defaultTimeout = time.Minute

func (a *retryingModel) Name() string { return a.name }

// Identity implements summarize.Identified.
func (a *retryingModel) Identity() string { return a.identity() }

// Price implements summarize.Pricer.
func (a *retryingModel) Price(in, out int64) (dollars float64, known bool) {
	if a.price == nil {
		return 0, false
	}
	return a.price.cost(in, out), true
}

// Summarize implements summarize.Model. Where the answer needs more tokens the error wraps
// summarize.ErrIncomplete, and the caller repeats the call.
func (a *retryingModel) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	r.MaxTokens = maxTokens(r)
	got, err := a.callWithRetries(ctx, r)
	return a.reply(got), err
}

// maxTokens is how many tokens the answer may have.
func maxTokens(r summarize.Request) int {
	const least = 256
	return max(r.MaxTokens, r.Target, least)
}

func (a *answer) add(b answer) {
	a.in, a.out, a.cost = a.in+b.in, a.out+b.out, a.cost+b.cost
}

func (a *retryingModel) reply(got answer) summarize.Reply {
	reply := summarize.Reply{
		Text: got.text, Model: a.name, InputTokens: got.in, OutputTokens: got.out, Cost: got.cost, Priced: got.priced,
	}
	if !got.priced && a.price != nil && got.in+got.out > 0 {
		reply.Cost, reply.Priced = a.price.cost(got.in, got.out), true
	}
	return reply
}

// callWithRetries makes a call, and again after failures that may pass. The answer has the
// cost of all calls.
func (a *retryingModel) callWithRetries(ctx context.Context, r summarize.Request) (answer, error) {
	if a.once {
		return a.attempt(ctx, r)
	}
	attempt := func() (answer, error) { return a.attempt(ctx, r) }
	return retried(ctx, a.provider, a.retry, attempt, (*answer).add)
}

// retried makes a call, and again after failures that may pass. add adds what a call cost: an
// answer has the cost of all calls, and with an error there is only that.
func retried[A any](ctx context.Context, provider string, r Retry, attempt func() (A, error), add func(sum *A, a A)) (A, error) {
	var spent A
	var failed error
	p := newRetryDelay(r)
	got, err := backoff.Retry(ctx, func() (A, error) {
		got, err := attempt()
		if failed = err; err != nil {
			add(&spent, got)
			err = p.classify(err)
		}
		return got, err
	}, backoff.WithBackOff(p), backoff.WithMaxTries(p.tries), backoff.WithMaxElapsedTime(0))
	switch {
	case err == nil:
		add(&got, spent)
		return got, nil
	case ctx.Err() != nil:
		return spent, fmt.Errorf("ask %s: %w", provider, context.Cause(ctx))
	}
	return spent, failed
}

// attempt is one call within the time limit, and the check of its answer.
func (a *retryingModel) attempt(ctx context.Context, r summarize.Request) (answer, error) {
	got, err := limited(ctx, a.provider, a.timeout, a.key, func(ctx context.Context) (answer, error) { return a.call(ctx, r) })
	if err != nil {
		return got, err
	}
	got.text, err = a.accept(a.key.scrub(got.text))
	return got, err
}

// limited makes one call within a time limit, of which 0 is the default one. Its error doesn't
// hold the key.
func limited[A any](ctx context.Context, provider string, limit time.Duration, key Secret, call func(context.Context) (A, error)) (A, error) {
	if limit <= 0 {
		limit = defaultTimeout
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	got, err := call(within)
	switch {
	case ctx.Err() != nil:
		return got, context.Cause(ctx)
	case err != nil && within.Err() != nil:
		return got, &Error{Kind: KindTimeout, Provider: provider, Message: "after " + limit.String(), cause: within.Err()}
	case err != nil:
		var e *Error
		if errors.As(err, &e) {
			e.Message = key.scrub(e.Message)
		}
	}
	return got, err
}

// retryDelay is how long to wait before the next call: as long as the vendor asks for, up to
// maxWait, or longer after each failure.
type retryDelay struct {
	*backoff.ExponentialBackOff
	tries   uint
	maxWait time.Duration
	last    *Error
}

func newRetryDelay(r Retry) *retryDelay {
	p := &retryDelay{ExponentialBackOff: backoff.NewExponentialBackOff(), tries: 4, maxWait: 30 * time.Second}
	p.InitialInterval, p.Multiplier, p.MaxInterval = 500*time.Millisecond, 2, 8*time.Second
	if r.Tries > 0 {
		p.tries = uint(r.Tries)
	}
	for into, from := range map[*time.Duration]time.Duration{&p.InitialInterval: r.First, &p.MaxInterval: r.Most, &p.maxWait: r.Patience} {
		if from > 0 {
			*into = from
		}
	}
	return p
}

// classify stores the failure, and marks it as permanent where another call would fail too.
func (p *retryDelay) classify(err error) error {
	if p.last = nil; errors.As(err, &p.last) && p.last.isRetryable() {
		return err
	}
	return backoff.Permanent(err)
}

// NextBackOff implements backoff.BackOff.
func (p *retryDelay) NextBackOff() time.Duration {
	d := p.ExponentialBackOff.NextBackOff()
	if p.last != nil && p.last.RetryAfter > 0 {
		return min(p.last.RetryAfter, p.maxWait)
	}
	return d
}
