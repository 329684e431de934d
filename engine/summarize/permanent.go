package summarize

import (
	"context"
	"errors"
	"sync"
)

// UntilPermanent is m, which isn't asked any more once a call has failed in such a way
// that no other can succeed: the error is then that of this call.
func UntilPermanent(m Model) Model { return &ending{Model: m} }

type ending struct {
	Model
	mu  sync.Mutex
	why error
}

// Unwrap gives the model that is asked.
func (e *ending) Unwrap() Model { return e.Model }

// Price implements Pricer.
func (e *ending) Price(in, out int64) (float64, bool) { return Price(e.Model, in, out) }

// Summarize implements Model.
func (e *ending) Summarize(ctx context.Context, r Request) (Reply, error) {
	e.mu.Lock()
	why := e.why
	e.mu.Unlock()
	if why != nil {
		return Reply{}, &endedError{why}
	}
	reply, err := e.Model.Summarize(ctx, r)
	if errors.Is(err, ErrPermanent) || errors.Is(err, ErrAuth) {
		e.mu.Lock()
		e.why = err
		e.mu.Unlock()
	}
	return reply, err
}

// endedError is the error of a call that was made, for one that wasn't.
type endedError struct{ why error }

func (e *endedError) Error() string { return e.why.Error() }

// Unwrap gives the error of the call, and says that this one wasn't made.
func (e *endedError) Unwrap() []error { return []error{e.why, ErrNotAsked} }
