package summarize

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrLimit is wrapped by the error of a call that wasn't made because it would have
// passed a limit.
var ErrLimit = errors.New("the limit is reached")

// Limit is m with a limit of calls and of US dollars, as far as prices are known; 0 is no
// limit. A call that would pass a limit isn't made. Calls that run at the same time may
// pass the limit of dollars by the error of their estimates.
func Limit(m Model, calls int, dollars float64) Model {
	if calls <= 0 && dollars <= 0 {
		return m
	}
	spending := NewSpending(calls, dollars)
	wrap := func(m Model) Model { return &limitedModel{m, spending} }
	if several, ok := m.(interface {
		Each(wrap func(Model) Model) Model
	}); ok { // Every call of every fallback model counts.
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
