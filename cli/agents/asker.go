package agents

import (
	"log/slog"
	"path/filepath"
	"time"

	"lcm-tui/cli"
	"lcm-tui/engine/ask"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
)

// askerOptions are what decides how questions are answered, beside the settings in force.
type askerOptions struct {
	chosen   choose.Choice
	flags    map[string]string // Settings that flags set.
	spending *summarize.Spending
	fresh    bool // Cached answers aren't used.
	log      *slog.Logger
}

// serverSpending returns that of a process that answers many questions: what the flags allow, and no
// more calls in a short time than the reference engine makes for unattended work.
func serverSpending(calls int, dollars float64) *summarize.Spending {
	const mostCalls, window, backoff = 24, 10 * time.Minute, 30 * time.Minute
	return summarize.NewSpending(calls, dollars).LimitRate(mostCalls, window, backoff, nil)
}

// asker makes what answers questions: with the model that flags name, else that of expansionModel,
// else that of summaries. Without a model its answers are quoted passages.
func asker(c *cli.Invocation, o askerOptions) (*ask.Asker, error) {
	if err := cli.CheckEnvironment(c.Sys.Env); err != nil {
		return nil, err
	}
	conf := c.HostSettings(o.flags)
	o.chosen.Timeout, o.chosen.Retry = conf.SummaryTimeout(), c.Sys.Retry
	a := &ask.Asker{Limits: ask.Limits{MaxExpandTokens: conf.MaxExpandTokens(), DelegationTimeout: conf.DelegationTimeout()}, Log: o.log}
	hosts := conf.Models()
	if err := cli.Contradiction(o.chosen, c.Sys.Env, hosts); err != nil {
		return nil, err
	}
	var err error
	a.Navigator, err = navigator(c, o, hosts)
	if provider, name := conf.ExpansionModel(); name != "" && o.chosen.IsZero() {
		override := o
		override.chosen.Provider, override.chosen.Model = provider, name
		expansion, failed := navigator(c, override, hosts)
		if failed == nil {
			a.Navigator, a.Fallback = expansion, a.Navigator
			return a, nil
		}
		c.CommandWarnings = append(c.CommandWarnings, failed) // The model of summaries answers.
	}
	return a, err
}

// navigator returns what reads the memory with the model of a choice.
func navigator(c *cli.Invocation, o askerOptions, hosts choose.HostConfig) (ask.Navigator, error) {
	env := choose.Getenv(c.Sys.Env)
	r, err := choose.Resolve(o.chosen, env, hosts)
	if err != nil {
		return nil, err
	}
	var n ask.Navigator
	switch r.Provider {
	case model.Extractive:
		return ask.Evidence{}, nil
	case model.Claude, model.Codex:
		n, err = delegate(c, o, env, hosts)
	case model.Exec:
		n, err = single(o, env, hosts)
	default:
		var m model.ToolModel
		m, err = choose.ToolModel(o.chosen, env, hosts, o.spending)
		n = ask.Loop{Model: m}
	}
	if err != nil {
		return nil, err
	}
	return cachedAnswersOf(c, n, o.fresh), nil
}

// delegate returns a program that reads the memory through a server of ours.
func delegate(c *cli.Invocation, o askerOptions, env choose.Getenv, hosts choose.HostConfig) (ask.Navigator, error) {
	p, err := choose.ToolProgram(o.chosen, env, hosts, o.spending)
	if err != nil {
		return nil, err
	}
	self, err := c.Sys.ProgramPath()
	return ask.Delegate{Program: p, Executable: self}, err
}

// single returns a command that is given passages.
func single(o askerOptions, env choose.Getenv, hosts choose.HostConfig) (ask.Navigator, error) {
	m, err := choose.Model(o.chosen, env, hosts)
	return ask.Single{Model: m}, err
}

// cachedAnswersOf keeps the answers of a navigator in the user's cache for an hour. Where there is
// no place for them they aren't kept.
func cachedAnswersOf(c *cli.Invocation, n ask.Navigator, fresh bool) ask.Navigator {
	folder := cli.CacheFolder(c.Sys.Env)
	if fresh || folder == "" {
		return n
	}
	cached, err := ask.Cache(n, filepath.Join(folder, "questions"))
	if err != nil {
		return n
	}
	return cached
}
