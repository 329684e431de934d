package retry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"lcm-tui/engine/summarize"
)

// chain is a model and its fallbacks, in order. The next is called when one fails, after the
// reference engine's wait of half a second, which doubles up to eight.
type chain struct {
	models []summarize.Model
	first  time.Duration
	ended  ended
}

// Chain makes of a model and its fallbacks one model, which calls them in order. A fallback that is
// the same as one before it is left out. Of the policy the first wait counts.
func Chain(p Policy, first summarize.Model, fallbacks ...summarize.Model) summarize.Model {
	models := []summarize.Model{first}
	for _, next := range fallbacks {
		same := func(m summarize.Model) bool { return identity(m) == identity(next) }
		if !slices.ContainsFunc(models, same) {
			models = append(models, next)
		}
	}
	if len(models) == 1 {
		return first
	}
	c := &chain{models: models, first: firstWait}
	if p.First > 0 {
		c.first = p.First
	}
	return c
}

// Name returns the name of the first model.
func (c *chain) Name() string { return c.models[0].Name() }

// Price implements summarize.Pricer, as if the first one answered.
func (c *chain) Price(in, out int64) (dollars float64, known bool) {
	return summarize.Price(c.models[0], in, out)
}

// Identity implements summarize.Identified.
func (c *chain) Identity() string {
	all := make([]string, len(c.models))
	for i, m := range c.models {
		all[i] = identity(m)
	}
	return strings.Join(all, "\n")
}

// identity returns all that a model's answers depend on.
func identity(m summarize.Model) string {
	if w, ok := m.(interface{ Unwrap() summarize.Model }); ok {
		m = w.Unwrap()
	}
	if i, ok := m.(summarize.Identified); ok {
		return m.Name() + "\n" + i.Identity()
	}
	return m.Name()
}

// Each returns the chain of what wrap makes of each model.
func (c *chain) Each(wrap func(summarize.Model) summarize.Model) summarize.Model {
	next := &chain{first: c.first}
	for _, m := range c.models {
		next.models = append(next.models, wrap(m))
	}
	return next
}

// Summarize calls one model after the other. An incomplete answer is asked for again with
// more tokens before the next model is called; a model that failed for good isn't called
// again. The reply has the cost of all calls; the error has the errors of all models.
func (c *chain) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	spent := summarize.Reply{Priced: true}
	failed := &chainError{}
	pause := c.first
	for i, m := range c.models {
		if err := c.ended.of(i); err != nil {
			failed.errs = append(failed.errs, err)
			continue
		}
		if spent.Calls > 0 {
			if err := sleep(ctx, pause); err != nil {
				return spent, err
			}
			pause = min(2*pause, mostWait)
		}
		err := ask(ctx, m, r, &spent)
		if err == nil || ctx.Err() != nil || errors.Is(err, summarize.ErrLimit) && !errors.Is(err, summarize.ErrResting) {
			return spent, err
		}
		c.ended.note(i, err)
		failed.errs = append(failed.errs, err)
	}
	failed.unasked = spent.Calls == 0
	return spent, failed
}

// ask calls one model, and once more with twice as many tokens if its answer isn't complete.
func ask(ctx context.Context, m summarize.Model, r summarize.Request, spent *summarize.Reply) error {
	for again := false; ; again = true {
		reply, err := m.Summarize(ctx, r)
		if !errors.Is(err, summarize.ErrLimit) {
			spent.Calls += max(reply.Calls, 1)
			spent.Priced = spent.Priced && reply.Priced
		}
		addCost(spent, reply)
		if err == nil {
			spent.Text, spent.Model = reply.Text, reply.Model
		}
		if again || !errors.Is(err, summarize.ErrIncomplete) || ctx.Err() != nil {
			return err
		}
		r.MaxTokens = 2 * maxTokens(r)
	}
}

// ended has the errors of the models that failed for good, by their places in a chain.
type ended struct {
	mu   sync.Mutex
	errs map[int]error
}

// of returns why a model isn't called any more, or nil.
func (e *ended) of(i int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.errs[i]
}

// note keeps an error if it is for good.
func (e *ended) note(i int, err error) {
	if !errors.Is(err, summarize.ErrPermanent) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.errs == nil {
		e.errs = map[int]error{}
	}
	e.errs[i] = err
}

// chainError says that none of several models answered.
type chainError struct {
	errs    []error
	unasked bool // All models had failed for good before.
}

func (e *chainError) Error() string { return errors.Join(e.errs...).Error() }

// Unwrap gives the errors that count: while one model may still answer another call, neither the
// permanent failures of the others end the run, nor those that aren't asked for a while.
func (e *chainError) Unwrap() []error {
	out := []error{summarize.ErrTokenLimitRaised}
	for _, passes := range [][]error{{summarize.ErrPermanent, summarize.ErrResting}, {summarize.ErrPermanent}, nil} {
		for _, err := range e.errs {
			if !slices.ContainsFunc(passes, func(kind error) bool { return errors.Is(err, kind) }) {
				out = append(out, err)
			}
		}
		if len(out) > 1 {
			break
		}
	}
	if e.unasked {
		out = append(out, summarize.ErrNotAsked)
	}
	return out
}

// sleep waits, unless ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for the next model: %w", context.Cause(ctx))
	}
}
