package choose

import (
	"strings"

	"lcm-tui/engine/model"
)

// Candidate is a model that can be chosen for summaries.
type Candidate struct {
	// Choice is what chooses it.
	Choice Choice
	// Resolved is the provider, model, address and key that the choice leads to.
	Resolved Resolved
	// Origin says who names it.
	Origin Origin
	// Err is why it can't be asked now; nil if it can.
	Err error
}

// Origin is who names a candidate.
type Origin string

// The origins.
const (
	OriginHost     Origin = "host"     // The host's configuration, or this program's variables.
	OriginFallback Origin = "fallback" // One of the host's fallbackProviders.
	OriginVendor   Origin = "vendor"   // A vendor that is reached over HTTP.
	OriginProgram  Origin = "program"  // A program on this machine.
	OriginBuiltIn  Origin = "built in" // The extractive summarizer.
)

// Candidates lists the models that can be chosen: the one that flags, environment and
// configuration name, the host's fallbacks, the vendors, the claude and codex programs
// where they are installed, and the built-in summarizer. Base holds the flags. No model
// is asked.
func Candidates(base Choice, env Getenv, host HostConfig) []Candidate {
	out := []Candidate{candidate(base, OriginHost, env, host)}
	for _, name := range host.Fallbacks {
		provider, m, _ := strings.Cut(name, "/")
		out = append(out, candidate(Choice{Provider: provider, Model: m}, OriginFallback, env, host))
	}
	for _, v := range vendors {
		if v.name == Compatible || v.name == copilot && host.Endpoints[copilot].BaseURL == "" {
			continue // There is no address to ask.
		}
		out = append(out, candidate(Choice{Provider: v.name}, OriginVendor, env, host))
	}
	for _, name := range []string{model.Claude, model.Codex} {
		if c := candidate(Choice{Provider: name}, OriginProgram, env, host); c.Resolved.program != "" {
			out = append(out, c)
		}
	}
	return append(out, candidate(Choice{Provider: model.Extractive}, OriginBuiltIn, env, host))
}

func candidate(c Choice, origin Origin, env Getenv, host HostConfig) Candidate {
	r, err := resolveReady(c, env, host)
	return Candidate{Choice: c, Resolved: r, Origin: origin, Err: err}
}

// KeyState says whether a model's key is there.
type KeyState int

// The states of a key.
const (
	KeyNotNeeded KeyState = iota // The provider takes none.
	KeySet
	KeyOptional // There is none, and the server may want none.
	KeyMissing
	KeyWithheld // One is set, but not for this address.
)

// KeyState says whether the model's key is there. It never says what it is.
func (r Resolved) KeyState() KeyState {
	switch {
	case model.IsLocal(r.Provider):
		return KeyNotNeeded
	case r.Key.Set():
		return KeySet
	case r.Withheld != "":
		return KeyWithheld
	case r.keyless:
		return KeyOptional
	}
	return KeyMissing
}

// Free reports whether asking the model costs nothing: no provider is asked.
func (r Resolved) Free() bool { return r.Provider == model.Extractive }
