package views

import (
	"context"
	"sync"
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
)

// driveWithModel opens the demonstration, with a model at hand and a short fresh tail.
func driveWithModel(t *testing.T, m summarize.Model) *driver {
	t.Helper()
	d := driveDemo(t)
	s := settings.Load(func(string) string { return "" }, openclaw.Config{}, map[string]string{"freshTailCount": "8"})
	d.env.Summarizer = func(context.Context, choose.Choice) (Summarizer, error) {
		return Summarizer{Model: m, Settings: s}, nil
	}
	return d
}

// brief is a model whose summaries are a few words.
type brief struct{ err error }

func (brief) Name() string { return "test/brief" }

func (b brief) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: "what happened, in brief", Model: "test/brief"}, b.err
}

// counting is a model that never says the same twice.
type counting struct {
	mu    sync.Mutex
	calls int
}

func (*counting) Name() string { return "test/counting" }

func (c *counting) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	return summarize.Reply{Text: "answer " + itoa(int64(c.calls)), Model: c.Name()}, nil
}

// withModels gives the screens the models that these variables lead to.
func (d *driver) withModels(variables map[string]string, fallbacks ...string) {
	env := func(name string) string { return variables[name] }
	d.env.Settings = func() settings.Settings { return settings.Load(env, openclaw.Config{}, nil) }
	d.env.disk.settings = d.env.Settings()
	d.env.Models = func(chosen choose.Choice) Models {
		host := choose.HostConfig{Fallbacks: fallbacks}
		m := Models{Candidates: choose.Candidates(choose.Choice{}, env, host)}
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
