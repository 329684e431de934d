package summarize

import (
	"context"
	"errors"
	"sync"
)

// StopAfterPermanent returns m until a call fails with ErrPermanent or ErrAuth. Later calls aren't
// made, and have the error of that call.
func StopAfterPermanent(m Model) Model { return &permanentStop{Model: m} }

// permanentStop makes no calls after one that failed for good.
type permanentStop struct {
	Model
	mu  sync.Mutex
	why error
}

// Unwrap gives the model itself.
func (e *permanentStop) Unwrap() Model { return e.Model }

// Price implements Pricer.
func (e *permanentStop) Price(in, out int64) (float64, bool) { return Price(e.Model, in, out) }

// Summarize implements Model.
func (e *permanentStop) Summarize(ctx context.Context, r Request) (Reply, error) {
	e.mu.Lock()
	why := e.why
	e.mu.Unlock()
	if why != nil {
		return Reply{}, &notAskedError{why}
	}
	reply, err := e.Model.Summarize(ctx, r)
	if errors.Is(err, ErrPermanent) || errors.Is(err, ErrAuth) {
		e.mu.Lock()
		e.why = err
		e.mu.Unlock()
	}
	return reply, err
}

// notAskedError is the error of a call that was made, for a later one that wasn't.
type notAskedError struct{ why error }

func (e *notAskedError) Error() string { return e.why.Error() }

// Unwrap gives the error of the call, and says that this one wasn't made.
func (e *notAskedError) Unwrap() []error { return []error{e.why, ErrNotAsked} }
