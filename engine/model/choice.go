package model

import (
	"time"

	"lcm-tui/engine/summarize"
)

// Choice is what the flags of a command say; what is empty is looked for in the
// environment and in the host's configuration.
type Choice struct {
	Provider, Model string
	API             API
	BaseURL         string
	// Exec is a command line, with quotes as in a shell, which is not run by one.
	Exec string
	Key  Secret
	// KeyEnv names the environment variable that holds the key for this run, whatever
	// the address is.
	KeyEnv string
	// Timeout is the time that one call may take; 0 is a minute.
	Timeout time.Duration
	Retry   Retry
	Prices  Prices // They come before those of the user's file and our own.
}

// Retry says how often and how fast a call is made again. Zero fields mean the
// reference engine's waits: half a second, doubled up to eight.
type Retry struct {
	Tries       int           // Of one call, at most; 0 is four.
	First, Most time.Duration // The first wait and the longest.
	// Patience is the longest that a vendor may ask to wait; 0 is half a minute.
	Patience time.Duration
}

// Getenv reads an environment variable, like os.Getenv.
type Getenv func(string) string

// HostConfig is what the host's configuration says about models.
type HostConfig struct {
	// Provider and Model are the plugin's summaryProvider and summaryModel.
	Provider, Model string
	// Defaults are the models that the host's agents use, in the order in which they
	// stand in for the plugin's: that for compaction, then the general one.
	Defaults []string
	// Fallbacks are the plugin's fallbackProviders, as provider/model: they are asked
	// in order where the model in force fails, unless flags name a model.
	Fallbacks []string
	// Endpoints are the host's own, by provider.
	Endpoints map[string]Endpoint
	// Variable reads a variable that the host sets for itself, and says where it
	// stands. It may be nil.
	Variable func(name string) (value Secret, where string)
	// SignIns reads the host's sign-ins, where no other key is found. It may be nil.
	SignIns func() SignIns
	// Now is the time by which sign-ins expire; nil is time.Now.
	Now func() time.Time
}

// Endpoint is the address and the key of a provider in the host's configuration.
type Endpoint struct {
	BaseURL, API string
	Key          Secret
}

// Choose finds the model: flags, LCM_TUI_SUMMARY_*, LCM_SUMMARY_*, the host's
// configuration, and where none of them names a provider the extractive
// summarizer. A provider that can't be asked, for want of a key or a program, is
// an error before anything is asked.
func Choose(c Choice, env Getenv, host HostConfig) (summarize.Model, error) {
	r, err := Resolve(c, env, host)
	if err != nil {
		return nil, err
	}
	if err := r.Ready(); err != nil {
		return nil, err
	}
	prices, err := loadPrices(c.Prices, env)
	if err != nil {
		return nil, err
	}
	return withFallbacks(newModel(r, c, prices), c, env, host, prices), nil
}

// newModel is a model that is ready to be asked.
func newModel(r Resolved, c Choice, prices Prices) summarize.Model {
	a := &retryingModel{key: r.Key, identity: r.identity, name: r.Name(), provider: r.Provider, timeout: c.Timeout, retry: c.Retry, price: prices.of(r)}
	switch r.Provider {
	case Extractive:
		return extractive{named: r.From != fromDefault}
	case Claude:
		a.caller, a.once = claude{program: r.program, model: r.Model}, true
	case Codex:
		a.caller, a.once = codex{program: r.program, model: r.Model}, true
	case Exec:
		a.caller, a.once = command{argv: r.argv, program: r.program}, true
	default:
		a.caller = overHTTP(r)
	}
	return a
}

// overHTTP makes the client of a vendor.
func overHTTP(r Resolved) caller {
	w := newHTTPClient(r)
	switch r.API {
	case Messages:
		return newMessages(w, r)
	case Responses:
		return responses{wire: w, url: endpoint(r.BaseURL, "/responses"), model: r.Model}
	}
	return chat{wire: w, url: endpoint(r.BaseURL, "/chat/completions"), model: r.Model, openai: ownerOfHost(r.BaseURL) == "openai"}
}
