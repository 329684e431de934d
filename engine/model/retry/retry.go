package retry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"

	"lcm-tui/engine/model"
)

// Policy says how often and how fast a call is made again. Zero fields mean the
// reference engine's waits: half a second, doubled up to eight.
type Policy struct {
	Tries       int           // Of one call, at most; 0 is four, and 1 leaves a failure as it is.
	First, Most time.Duration // The first wait and the longest.
	// Patience is the longest that a vendor may ask to wait; 0 is half a minute.
	Patience time.Duration
}

// The reference engine's waits.
const (
	firstWait = 500 * time.Millisecond
	mostWait  = 8 * time.Second
)

// Options are what is known of a model beside how it is called.
type Options struct {
	Name     string        // "provider/model", as it goes into the model column.
	Provider string        // Named in errors.
	Identity func() string // All that answers depend on beside the name and a request; no key is in it.
	Key      model.Secret  // Removed from answers and errors.
	Timeout  time.Duration // Of one call; 0 is a minute.
	Policy   Policy
	// Price is what a call of so many tokens costs, in dollars.
	Price func(in, out int64) (dollars float64, known bool)
}

// repeat makes a call, and again after failures that may pass. add adds what a call cost: an
// answer has the cost of all calls, and with an error there is only that.
func repeat[A any](ctx context.Context, o Options, call func() (A, error), add func(sum *A, a A)) (A, error) {
	if o.Policy.Tries == 1 {
		return call()
	}
	var spent A
	var failed error
	d := newDelay(o.Policy)
	got, err := backoff.Retry(ctx, func() (A, error) {
		got, err := call()
		if failed = err; err != nil {
			add(&spent, got)
			err = d.classify(err)
		}
		return got, err
	}, backoff.WithBackOff(d), backoff.WithMaxTries(d.tries), backoff.WithMaxElapsedTime(0))
	switch {
	case err == nil:
		add(&got, spent)
		return got, nil
	case ctx.Err() != nil:
		return spent, fmt.Errorf("ask %s: %w", o.Provider, context.Cause(ctx))
	}
	return spent, failed
}

// limit makes one call within the time limit. Its error doesn't hold the key.
func limit[A any](ctx context.Context, o Options, call func(context.Context) (A, error)) (A, error) {
	most := o.Timeout
	if most <= 0 {
		most = time.Minute
	}
	within, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	got, err := call(within)
	var e *model.Error
	switch {
	case ctx.Err() != nil:
		return got, context.Cause(ctx)
	case err != nil && within.Err() != nil:
		return got, &model.Error{Kind: model.KindTimeout, Provider: o.Provider, Message: "after " + most.String(), Cause: within.Err()}
	case errors.As(err, &e):
		e.Message = o.Key.Scrub(e.Message)
	}
	return got, err
}

// delay is how long to wait before the next call: as long as the vendor asks for, up to
// patience, or longer after each failure.
type delay struct {
	*backoff.ExponentialBackOff
	tries    uint
	patience time.Duration
	last     *model.Error
}

func newDelay(p Policy) *delay {
	d := &delay{ExponentialBackOff: backoff.NewExponentialBackOff(), tries: 4, patience: 30 * time.Second}
	d.InitialInterval, d.Multiplier, d.MaxInterval = firstWait, 2, mostWait
	if p.Tries > 0 {
		d.tries = uint(p.Tries)
	}
	for into, from := range map[*time.Duration]time.Duration{&d.InitialInterval: p.First, &d.MaxInterval: p.Most, &d.patience: p.Patience} {
		if from > 0 {
			*into = from
		}
	}
	return d
}

// classify stores the failure, and marks it as permanent where another call would fail too.
func (d *delay) classify(err error) error {
	if d.last = nil; errors.As(err, &d.last) && d.last.IsRetryable() {
		return err
	}
	return backoff.Permanent(err)
}

// NextBackOff implements backoff.BackOff.
func (d *delay) NextBackOff() time.Duration {
	wait := d.ExponentialBackOff.NextBackOff()
	if d.last != nil && d.last.RetryAfter > 0 {
		return min(d.last.RetryAfter, d.patience)
	}
	return wait
}
