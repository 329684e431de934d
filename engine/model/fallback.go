package model

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

// fallbackChain is a model and its fallbacks, in order: the host's fallbackProviders. The
// next is called when one fails, after the reference engine's wait of half a second, which
// doubles up to eight.
type fallbackChain struct {
	models      []summarize.Model
	first, most time.Duration
	mu          sync.Mutex
	ended       map[int]error // The errors of models that failed for good.
}

// withFallbacks adds the fallbacks to a model, unless flags name the model.
func withFallbacks(m summarize.Model, c Choice, env Getenv, host HostConfig, prices Prices) summarize.Model {
	if !c.IsZero() {
		return m
	}
	all := &fallbackChain{models: []summarize.Model{m}, ended: map[int]error{}, first: 500 * time.Millisecond, most: 8 * time.Second}
	if c.Retry.First > 0 {
		all.first = c.Retry.First
	}
	for _, r := range fallbackModels(c, env, host) {
		next := newModel(r, c, prices)
		same := func(m summarize.Model) bool { return identity(m) == identity(next) }
		if r.Ready() == nil && !slices.ContainsFunc(all.models, same) {
			all.models = append(all.models, next)
		}
	}
	if len(all.models) == 1 {
		return m
	}
	return all
}

// fallbackModels are the models of fallbackProviders. The environment's variables for a
// model, its address and its key are for the first one only.
func fallbackModels(c Choice, env Getenv, host HostConfig) (out []Resolved) {
	own := func(name string) string {
		if strings.HasPrefix(name, "LCM_TUI_SUMMARY_") || strings.HasPrefix(name, "LCM_SUMMARY_") {
			return ""
		}
		return env(name)
	}
	bare := HostConfig{Endpoints: host.Endpoints, Variable: host.Variable}
	for _, name := range host.Fallbacks {
		provider, model, _ := strings.Cut(name, "/")
		r, err := Resolve(Choice{Provider: provider, Model: model, Timeout: c.Timeout}, own, bare)
		if err == nil {
			out = append(out, r)
		}
	}
	return out
}

// Name is the name of the first model.
func (c *fallbackChain) Name() string { return c.models[0].Name() }

// Price implements summarize.Pricer, as if the first one answered.
func (c *fallbackChain) Price(in, out int64) (dollars float64, known bool) {
	return summarize.Price(c.models[0], in, out)
}

// Identity implements summarize.Identified.
func (c *fallbackChain) Identity() string {
	all := make([]string, len(c.models))
	for i, m := range c.models {
		all[i] = identity(m)
	}
	return strings.Join(all, "\n")
}

// identity is all that a model's answers depend on.
func identity(m summarize.Model) string {
	if w, ok := m.(interface{ Unwrap() summarize.Model }); ok {
		m = w.Unwrap()
	}
	if i, ok := m.(summarize.Identified); ok {
		return m.Name() + "\n" + i.Identity()
	}
	return m.Name()
}

// Each is the chain of what wrap makes of each model.
func (c *fallbackChain) Each(wrap func(summarize.Model) summarize.Model) summarize.Model {
	next := &fallbackChain{first: c.first, most: c.most, ended: map[int]error{}}
	for _, m := range c.models {
		next.models = append(next.models, wrap(m))
	}
	return next
}

// Summarize calls one model after the other. An incomplete answer is asked for again with
// more tokens before the next model is called; a model that failed for good isn't called
// again. The reply has the cost of all calls; the error has the errors of all models.
func (c *fallbackChain) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	spent := summarize.Reply{Priced: true}
	failed := &chainError{}
	pause := c.first
	for i, m := range c.models {
		if err := c.permanentError(i); err != nil {
			failed.errs = append(failed.errs, err)
			continue
		}
		if spent.Calls > 0 {
			if err := sleep(ctx, pause); err != nil {
				return spent, err
			}
			pause = min(2*pause, c.most)
		}
		err := ask(ctx, m, r, &spent)
		if err == nil || ctx.Err() != nil || errors.Is(err, summarize.ErrLimit) {
			return spent, err
		}
		if errors.Is(err, summarize.ErrPermanent) {
			c.stopAsking(i, err)
		}
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
			spent.Calls++
			spent.Priced = spent.Priced && reply.Priced
		}
		spent.InputTokens, spent.OutputTokens = spent.InputTokens+reply.InputTokens, spent.OutputTokens+reply.OutputTokens
		spent.Cost += reply.Cost
		if err == nil {
			spent.Text, spent.Model = reply.Text, reply.Model
		}
		if again || !errors.Is(err, summarize.ErrIncomplete) || ctx.Err() != nil {
			return err
		}
		r.MaxTokens = 2 * maxTokens(r)
	}
}

// permanentError is why a model isn't called any more, or nil.
func (c *fallbackChain) permanentError(i int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended[i]
}

func (c *fallbackChain) stopAsking(i int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended[i] = err
}

// chainError says that none of several models answered.
type chainError struct {
	errs    []error
	unasked bool // All models had failed for good before.
}

func (e *chainError) Error() string { return errors.Join(e.errs...).Error() }

// Unwrap gives the errors that count: while one model may still answer another call, the
// permanent failures of the others don't end the run.
func (e *chainError) Unwrap() []error {
	out := []error{summarize.ErrTokenLimitRaised}
	for _, err := range e.errs {
		if !errors.Is(err, summarize.ErrPermanent) {
			out = append(out, err)
		}
	}
	if len(out) == 1 {
		out = append(out, e.errs...)
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
