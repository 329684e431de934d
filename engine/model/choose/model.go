package choose

import (
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/extractive"
	"lcm-tui/engine/model/programs"
	"lcm-tui/engine/model/retry"
	"lcm-tui/engine/model/wire"
	"lcm-tui/engine/summarize"
)

// Model finds the model: flags, LCM_TUI_SUMMARY_*, LCM_SUMMARY_*, the host's
// configuration, and where none of them names a provider the extractive
// summarizer. A provider that can't be asked, for want of a key or a program, is
// an error before anything is asked.
func Model(c Choice, env Getenv, host HostConfig) (summarize.Model, error) {
	r, err := resolveReady(c, env, host)
	if err != nil {
		return nil, err
	}
	prices, err := loadPrices(c.Prices, env)
	if err != nil {
		return nil, err
	}
	first := newModel(r, c, prices)
	var fallbacks []summarize.Model
	for _, next := range fallbackModels(c, env, host) {
		fallbacks = append(fallbacks, newModel(next, c, prices))
	}
	return retry.Chain(c.Retry, first, fallbacks...), nil
}

// ToolModel finds the model for conversations with tools, as Model does for summaries, with the
// host's fallbacks. Providers that aren't reached over HTTP are an error: the built-in summarizer and
// commands call no tools, and ToolProgram runs the others. Calls count against spending, which may be nil.
func ToolModel(c Choice, env Getenv, host HostConfig, spending *summarize.Spending) (model.ToolModel, error) {
	r, err := resolveReady(c, env, host)
	if err == nil && model.IsLocal(r.Provider) {
		err = setup("the provider "+r.Provider+" calls no tools", "name a provider that is reached over HTTP")
	}
	if err != nil {
		return nil, err
	}
	prices, err := loadPrices(c.Prices, env)
	if err != nil {
		return nil, err
	}
	tools := func(r Resolved) model.ToolModel {
		return retry.Tools(wire.New(r.server()), r.options(c, prices), spending)
	}
	if !c.IsZero() {
		return tools(r), nil
	}
	var fallbacks []model.ToolModel
	for _, next := range fallbackModels(c, env, host) {
		if !model.IsLocal(next.Provider) {
			fallbacks = append(fallbacks, tools(next))
		}
	}
	return retry.ToolChain(tools(r), fallbacks...), nil
}

// resolveReady finds what is in force; its error says also why that can't be asked.
func resolveReady(c Choice, env Getenv, host HostConfig) (Resolved, error) {
	r, err := Resolve(c, env, host)
	if err == nil {
		err = r.Ready()
	}
	return r, err
}

// fallbackModels returns the models of the host's fallbackProviders that can be asked: none where flags
// name the model. The environment's variables for a model, its address and its key are for the first
// one only.
func fallbackModels(c Choice, env Getenv, host HostConfig) (out []Resolved) {
	if !c.IsZero() {
		return nil
	}
	own := func(name string) string {
		if strings.HasPrefix(name, "LCM_TUI_SUMMARY_") || strings.HasPrefix(name, "LCM_SUMMARY_") {
			return ""
		}
		return env(name)
	}
	bare := HostConfig{Endpoints: host.Endpoints, Variable: host.Variable}
	for _, name := range host.Fallbacks {
		provider, name, _ := strings.Cut(name, "/")
		r, err := Resolve(Choice{Provider: provider, Model: name}, own, bare)
		if err == nil && r.Ready() == nil {
			out = append(out, r)
		}
	}
	return out
}

// newModel makes a model that is ready to be asked.
func newModel(r Resolved, c Choice, prices Prices) summarize.Model {
	o := r.options(c, prices)
	once := o // What a program fails at, it fails at again.
	once.Policy.Tries = 1
	switch r.Provider {
	case model.Extractive:
		return extractive.Summarizer{Named: r.From != fromDefault}
	case model.Claude:
		return retry.Summaries(programs.Claude{Path: r.program, Model: r.Model}, once)
	case model.Codex:
		return retry.Summaries(programs.Codex{Path: r.program, Model: r.Model}, once)
	case model.Exec:
		return retry.Summaries(programs.Command{Path: r.program, Args: r.argv[1:]}, once)
	}
	return retry.Summaries(wire.New(r.server()), o)
}

// options returns what is known of the model beside how it is called.
func (r Resolved) options(c Choice, prices Prices) retry.Options {
	return retry.Options{
		Name: r.Name(), Provider: r.Provider, Identity: r.identity, Key: r.Key,
		Timeout: c.Timeout, Policy: c.Retry, Price: prices.of(r),
	}
}

// server returns how a vendor is asked.
func (r Resolved) server() wire.Server {
	s := wire.Server{
		Provider: r.Provider, Model: r.Model, API: r.API, BaseURL: r.BaseURL, Key: r.Key, Bearer: r.bearer,
		OpenAI: ownerOfHost(r.BaseURL) == "openai",
	}
	if r.Withheld != "" {
		s.Withheld = r.withheld()
	}
	return s
}

// setup returns an error of the choice, before anything is asked.
func setup(message, next string) *model.Error {
	return &model.Error{Kind: model.KindSetup, Message: message, Next: next}
}
