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

// Limit is a model that is called at most so often, and no more once it has cost so
// many dollars or would, as far as prices are known; 0 is no limit. Of calls that run
// side by side the last may pass the limit of dollars by what nobody could foresee.
func Limit(m Model, calls int, dollars float64) Model {
	if calls <= 0 && dollars <= 0 {
		return m
	}
	limit := &limit{calls: calls, dollars: dollars}
	wrap := func(m Model) Model { return &limited{m, limit} }
	if several, ok := m.(interface {
		Each(wrap func(Model) Model) Model
	}); ok { // Of models that stand in for each other every call counts.
		return several.Each(wrap)
	}
	return wrap(m)
}

// limit is what calls may come to, and what they have come to.
type limit struct {
	calls   int
	dollars float64
	mu      sync.Mutex
	made    int
	spent   float64
}

type limited struct {
	Model
	*limit
}

// Unwrap gives the model that is limited.
func (l *limited) Unwrap() Model { return l.Model }

// Summarize implements Model.
func (l *limited) Summarize(ctx context.Context, r Request) (Reply, error) {
	foreseen, _ := l.Price(int64(len(r.System)+len(r.Prompt))/4, int64(r.Target))
	if err := l.take(foreseen); err != nil {
		return Reply{}, err
	}
	reply, err := l.Model.Summarize(ctx, r)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent += reply.Cost - foreseen
	return reply, err
}

// take sets a call and what it is likely to cost aside.
func (l *limit) take(dollars float64) error {
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
func (l *limited) Price(in, out int64) (float64, bool) {
	c := Foresee(l.Model, Cost{Calls: 1, InputTokens: in, OutputTokens: out})
	return c.Dollars, c.Unpriced == 0
}
