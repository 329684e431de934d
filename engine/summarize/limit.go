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
	limit := &limit{calls: calls, dollars: dollars}
	wrap := func(m Model) Model { return &limitedModel{m, limit} }
	if several, ok := m.(interface {
		Each(wrap func(Model) Model) Model
	}); ok { // Every call of every fallback model counts.
		return several.Each(wrap)
	}
	return wrap(m)
}

// limit is what calls may cost, and what they have cost.
type limit struct {
	calls   int
	dollars float64
	mu      sync.Mutex
	made    int
	spent   float64
}

// limitedModel refuses calls that would pass a limit.
type limitedModel struct {
	Model
	*limit
}

// Unwrap gives the model without the limit.
func (l *limitedModel) Unwrap() Model { return l.Model }

// Summarize implements Model.
func (l *limitedModel) Summarize(ctx context.Context, r Request) (Reply, error) {
	estimate, _ := l.Price(int64(len(r.System)+len(r.Prompt))/4, int64(r.Target))
	if err := l.reserve(estimate); err != nil {
		return Reply{}, err
	}
	reply, err := l.Model.Summarize(ctx, r)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent += reply.Cost - estimate
	return reply, err
}

// reserve counts a call and what it is likely to cost.
func (l *limit) reserve(dollars float64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.calls > 0 && l.made >= l.calls:
		return fmt.Errorf("%w: %d calls were made", ErrLimit, l.made)
	case l.dollars > 0 && (l.spent >= l.dollars || l.spent+dollars > l.dollars):
		return fmt.Errorf("%w: $%.4f of $%.4f are spent", ErrLimit, l.spent, l.dollars)
	}
	l.made++
	l.spent += dollars
	return nil
}

// Price implements Pricer.
func (l *limitedModel) Price(in, out int64) (float64, bool) {
	c := EstimateCost(l.Model, Cost{Calls: 1, InputTokens: in, OutputTokens: out})
	return c.Dollars, c.Unpriced == 0
}
