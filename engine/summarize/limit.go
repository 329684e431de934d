package summarize

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// ErrLimit is wrapped by the error of a call that wasn't made because it would have
// passed a limit.
var ErrLimit = errors.New("the limit is reached")

// ErrResting is wrapped beside ErrLimit where it is only this model that isn't asked for a while: another one may be.
var ErrResting = errors.New("the model isn't asked for a while")

// Limit returns m with a limit of calls and of US dollars, as far as prices are known; 0 is no
// limit. A call that would pass a limit isn't made. Calls that run at the same time may
// pass the limit of dollars by the error of their estimates.
func Limit(m Model, calls int, dollars float64) Model {
	if calls <= 0 && dollars <= 0 {
		return m
	}
	spending := NewSpending(calls, dollars)
	return Each(m, func(m Model) Model { return &limitedModel{m, spending} })
}

// Each returns m with what wrap makes of the model, and of each of its fallbacks: every call of each passes it.
func Each(m Model, wrap func(Model) Model) Model {
	if several, ok := m.(interface {
		Each(wrap func(Model) Model) Model
	}); ok {
		return several.Each(wrap)
	}
	return wrap(m)
}

// Spending is what calls may cost, and what they have cost. Nil has no limit. Its methods may be
// called from several goroutines.
type Spending struct {
	calls   int
	dollars float64
	mu      sync.Mutex
	made    int
	spent   float64
	rate    rate
}

// rate is how many calls are made in a window of time, and how long none is made after more.
type rate struct {
	calls           int // 0 is no limit.
	window, backoff time.Duration
	now             func() time.Time
	recent          []time.Time // When calls were made, within the window.
	until           time.Time   // Before it no call is made.
}

// LimitRate refuses calls for the time of backoff after calls of them within window, as the
// reference engine does for unattended work. now is the clock; nil is time.Now.
func (s *Spending) LimitRate(calls int, window, backoff time.Duration, now func() time.Time) *Spending {
	if now == nil {
		now = time.Now
	}
	s.rate = rate{calls: calls, window: window, backoff: backoff, now: now}
	return s
}

// take counts a call, or says until when none is made.
func (r *rate) take() error {
	if r.calls <= 0 {
		return nil
	}
	now := r.now()
	r.recent = slices.DeleteFunc(r.recent, func(t time.Time) bool { return now.Sub(t) >= r.window })
	if len(r.recent) >= r.calls && !now.Before(r.until) {
		r.until = now.Add(r.backoff)
	}
	if now.Before(r.until) {
		return fmt.Errorf("%w: %d calls were made within %s, so none is made until %s", ErrLimit, r.calls, r.window, r.until.UTC().Format("15:04 UTC"))
	}
	r.recent = append(r.recent, now)
	return nil
}

// NewSpending has a limit of calls and of US dollars; 0 is no limit.
func NewSpending(calls int, dollars float64) *Spending {
	return &Spending{calls: calls, dollars: dollars}
}

// limitedModel refuses calls that would pass a limit.
type limitedModel struct {
	Model
	*Spending
}

// Unwrap gives the model without the limit.
func (l *limitedModel) Unwrap() Model { return l.Model }

// Summarize implements Model.
func (l *limitedModel) Summarize(ctx context.Context, r Request) (Reply, error) {
	estimate, _ := l.Price(int64(len(r.System)+len(r.Prompt))/4, int64(r.Target))
	if err := l.Reserve(estimate); err != nil {
		return Reply{}, err
	}
	reply, err := l.Model.Summarize(ctx, r)
	l.Correct(reply.Cost - estimate)
	return reply, err
}

// Reserve counts a call and what it is likely to cost. The error of one that would pass a limit
// wraps ErrLimit.
func (s *Spending) Reserve(dollars float64) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.calls > 0 && s.made >= s.calls:
		return fmt.Errorf("%w: %d calls were made", ErrLimit, s.made)
	case s.dollars > 0 && (s.spent >= s.dollars || s.spent+dollars > s.dollars):
		return fmt.Errorf("%w: $%.4f of $%.4f are spent", ErrLimit, s.spent, s.dollars)
	}
	if err := s.rate.take(); err != nil {
		return err
	}
	s.made++
	s.spent += dollars
	return nil
}

// Correct adds what a call cost beyond its estimate.
func (s *Spending) Correct(dollars float64) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spent += dollars
}

// Price implements Pricer.
func (l *limitedModel) Price(in, out int64) (float64, bool) {
	c := EstimateCost(l.Model, Cost{Calls: 1, InputTokens: in, OutputTokens: out})
	return c.Dollars, c.Unpriced == 0
}
