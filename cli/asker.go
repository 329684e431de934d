package cli

import (
	"log/slog"
	"path/filepath"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/ask"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
	"lcm-tui/work"
)

// AskerOptions are what decides how questions are answered, beside the settings in force.
type AskerOptions struct {
	Chosen   choose.Choice
	Flags    map[string]string // Settings that flags set.
	Spending *summarize.Spending
	Fresh    bool // Cached answers aren't used.
	// SendSecrets leaves secrets in what the model gets.
	SendSecrets bool
	Log         *slog.Logger
	// Database is the path of the file beside which calls are counted; empty counts none.
	Database string
}

// counted returns the folder in which calls are counted; empty is none.
func (o AskerOptions) counted(c *Invocation) string {
	state := openclaw.OwnState(c.Sys.Env)
	if state == "" || o.Database == "" {
		return ""
	}
	return work.Folder(state, o.Database)
}

// NewAsker makes what answers questions: with the model that flags name, else that of expansionModel,
// else that of summaries. Without a model its answers are quoted passages.
func NewAsker(c *Invocation, o AskerOptions) (*ask.Asker, error) {
	if err := CheckEnvironment(c.Sys.Env); err != nil {
		return nil, err
	}
	conf := c.HostSettings(o.Flags)
	o.Chosen.Timeout, o.Chosen.Retry = conf.SummaryTimeout(), c.Sys.Retry
	a := &ask.Asker{Limits: ask.Limits{MaxExpandTokens: conf.MaxExpandTokens(), DelegationTimeout: conf.DelegationTimeout()}, Log: o.Log}
	hosts := conf.Models()
	if err := Contradiction(o.Chosen, c.Sys.Env, hosts); err != nil {
		return nil, err
	}
	var err error
	a.Navigator, err = navigator(c, o, hosts)
	if provider, name := conf.ExpansionModel(); name != "" && o.Chosen.IsZero() {
		override := o
		override.Chosen.Provider, override.Chosen.Model = provider, name
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
func navigator(c *Invocation, o AskerOptions, hosts choose.HostConfig) (ask.Navigator, error) {
	env := choose.Getenv(c.Sys.Env)
	r, err := choose.Resolve(o.Chosen, env, hosts)
	if err != nil {
		return nil, err
	}
	var masker summarize.Masker
	if !o.SendSecrets {
		if masker, err = c.Sys.MaskerHere(); err != nil {
			return nil, err
		}
	}
	var n ask.Navigator
	switch r.Provider {
	case model.Extractive:
		return ask.Evidence{}, nil
	case model.Claude, model.Codex:
		n, err = delegate(c, o, env, hosts)
	case model.Exec:
		n, err = single(c, o, env, hosts, masker)
	default:
		var m model.ToolModel
		m, err = choose.ToolModel(o.Chosen, env, hosts, o.Spending)
		if folder := o.counted(c); folder != "" && err == nil {
			m = work.CountToolCalls(m, folder)
		}
		n = ask.Loop{Model: m, Masker: masker}
	}
	if err != nil {
		return nil, err
	}
	return cachedAnswersOf(c, n, o.Fresh), nil
}

// delegate returns a program that reads the memory through a server of ours.
func delegate(c *Invocation, o AskerOptions, env choose.Getenv, hosts choose.HostConfig) (ask.Navigator, error) {
	p, err := choose.ToolProgram(o.Chosen, env, hosts, o.Spending)
	if err != nil {
		return nil, err
	}
	if folder := o.counted(c); folder != "" {
		p = work.CountProgramRuns(p, folder)
	}
	self, err := c.Sys.ProgramPath()
	return ask.Delegate{Program: p, Executable: self}, err
}

// single returns a command that is given passages.
func single(c *Invocation, o AskerOptions, env choose.Getenv, hosts choose.HostConfig, masker summarize.Masker) (ask.Navigator, error) {
	m, err := choose.Model(o.Chosen, env, hosts)
	if folder := o.counted(c); folder != "" && err == nil {
		m = summarize.Each(m, func(m summarize.Model) summarize.Model { return work.CountCalls(m, folder) })
	}
	return ask.Single{Model: m, Masker: masker}, err
}

// cachedAnswersOf keeps the answers of a navigator in the user's cache for an hour. Where there is
// no place for them they aren't kept.
func cachedAnswersOf(c *Invocation, n ask.Navigator, fresh bool) ask.Navigator {
	folder := CacheFolder(c.Sys.Env)
	if fresh || folder == "" {
		return n
	}
	cached, err := ask.Cache(n, filepath.Join(folder, "questions"))
	if err != nil {
		return n
	}
	return cached
}
