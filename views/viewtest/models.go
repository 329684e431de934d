package viewtest

import (
	"context"
	"sync"
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
	"lcm-tui/views"
)

// DriveWithModel opens the demonstration, with a model at hand and a short fresh tail.
func DriveWithModel(t *testing.T, m summarize.Model) *Driver {
	t.Helper()
	d := DriveDemo(t)
	s := settings.Load(func(string) string { return "" }, openclaw.Config{}, map[string]string{"freshTailCount": "8"})
	d.Env.Summarizer = func(context.Context, choose.Choice) (views.Summarizer, error) {
		return views.Summarizer{Model: m, Settings: s}, nil
	}
	return d
}

// Brief is a model whose summaries are a few words.
type Brief struct{ Err error }

// Name implements summarize.Model.
func (Brief) Name() string { return "test/brief" }

// Summarize implements summarize.Model.
func (b Brief) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: "what happened, in brief", Model: "test/brief"}, b.Err
}

// Counting is a model that never says the same twice.
type Counting struct {
	Mu    sync.Mutex
	Calls int
}

// Name implements summarize.Model.
func (*Counting) Name() string { return "test/counting" }

// Summarize implements summarize.Model.
func (c *Counting) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.Calls++
	return summarize.Reply{Text: "answer " + views.Itoa(int64(c.Calls)), Model: c.Name()}, nil
}

// WithModels gives the screens the models that these variables lead to.
func (d *Driver) WithModels(variables map[string]string, fallbacks ...string) {
	env := func(name string) string { return variables[name] }
	d.Env.Settings = func() settings.Settings { return settings.Load(env, openclaw.Config{}, nil) }
	d.Env.Disk.Settings = d.Env.Settings()
	d.Env.Models = func(chosen choose.Choice) views.Models {
		host := choose.HostConfig{Fallbacks: fallbacks}
		m := views.Models{Candidates: choose.Candidates(choose.Choice{}, env, host)}
		if chosen.IsZero() {
			m.Fallbacks = fallbacks
		}
		if m.InForce, m.Err = choose.Resolve(chosen, env, host); m.Err == nil {
			m.Err = m.InForce.Ready()
		}
		m.Settings = []settings.Setting{{Name: "summaryProvider", Value: m.InForce.Provider, Source: m.InForce.From, About: "who makes summaries"}}
		return m
	}
}
