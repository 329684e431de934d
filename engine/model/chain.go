package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/engine/summarize"
)

// chain is a model and those that stand in for it, in order: the host's
// fallbackProviders. The next is asked when one fails, after the reference engine's
// wait of half a second, doubled up to eight.
type chain struct {
	models      []summarize.Model
	first, most time.Duration
}

// chained adds to a model those that can stand in for it. Whoever names a model in
// flags wants that one and no other.
func chained(m summarize.Model, c Choice, env Getenv, host HostConfig, prices Prices) summarize.Model {
	if c.Provider != "" || c.Model != "" || c.Exec != "" || c.BaseURL != "" {
		return m
	}
	all := chain{models: []summarize.Model{m}, first: 500 * time.Millisecond, most: 8 * time.Second}
	if c.Retry.First > 0 {
		all.first = c.Retry.First
	}
	for _, r := range standIns(c, env, host) {
		next := newModel(r, c, prices)
		same := func(m summarize.Model) bool { return m.Name() == next.Name() }
		if r.Ready() == nil && !slices.ContainsFunc(all.models, same) {
			all.models = append(all.models, next)
		}
	}
	if len(all.models) == 1 {
		return m
	}
	return &all
}

// standIns are the models of fallbackProviders. The environment's own choice of a
// model, with its address and key, is for the first one and not for them.
func standIns(c Choice, env Getenv, host HostConfig) (out []Resolved) {
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

// Name is that of the model that is asked first.
func (c *chain) Name() string { return c.models[0].Name() }

// Price implements summarize.Pricer, as if the first one answered.
func (c *chain) Price(in, out int64) (dollars float64, known bool) {
	return summarize.Price(c.models[0], in, out)
}

// Summarize asks one after the other. What failed ones cost is in the reply. The
// error is that of all.
func (c *chain) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	var spent summarize.Reply
	var failed []error
	pause := c.first
	for i, m := range c.models {
		if i > 0 {
			if err := sleep(ctx, pause); err != nil {
				return spent, err
			}
			pause = min(2*pause, c.most)
		}
		reply, err := m.Summarize(ctx, r)
		spent.InputTokens, spent.OutputTokens = spent.InputTokens+reply.InputTokens, spent.OutputTokens+reply.OutputTokens
		spent.Cost, spent.Priced = spent.Cost+reply.Cost, (i == 0 || spent.Priced) && reply.Priced
		if err == nil {
			spent.Text, spent.Model = reply.Text, reply.Model
			return spent, nil
		}
		if ctx.Err() != nil {
			return spent, err
		}
		failed = append(failed, err)
	}
	return spent, errors.Join(failed...)
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
