package settings

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"lcm-tui/engine/compact"
)

// Compaction returns what compact goes by.
func (s Settings) Compaction() compact.Config {
	set := map[string]any{}
	for _, one := range s.All {
		if one.Value != nil {
			set[one.Name] = one.Value
		}
	}
	c := compact.Defaults()
	b, err := json.Marshal(set)
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil {
		panic(err) // Every value has the type of its field; a test sees to it.
	}
	return c
}

// Assembly is what decides what a model is shown, beside compaction.
type Assembly struct {
	MaxBudget             int64 // Tokens; 0 is no limit.
	StubLargeToolPayloads bool
	PromptAwareEviction   bool
	FreshTailCount        int64
	FreshTailMaxTokens    *int64         // Nil is no limit.
	Location              *time.Location // Nil where none is set.
}

// Assembly gives the settings of assembly.
func (s Settings) Assembly() Assembly {
	a := Assembly{
		MaxBudget:             value[int64](s, "maxAssemblyTokenBudget"),
		StubLargeToolPayloads: value[bool](s, "stubLargeToolPayloads"),
		PromptAwareEviction:   value[bool](s, "promptAwareEviction"),
		FreshTailCount:        value[int64](s, "freshTailCount"),
	}
	for _, one := range s.All {
		switch v := one.Value.(type) {
		case int64:
			if one.Name == "freshTailMaxTokens" {
				a.FreshTailMaxTokens = &v
			}
		case string:
			if one.Name == "timezone" {
				a.Location = s.Location()
			}
		}
	}
	return a
}

// SummaryTimeout returns how long one call of a model may take.
func (s Settings) SummaryTimeout() time.Duration {
	return span(s, "summaryTimeoutMs")
}

// Breaker returns after how many refusals of its key in a row a model isn't asked, and for how long.
func (s Settings) Breaker() (refusals int64, rest time.Duration) {
	return value[int64](s, "circuitBreakerThreshold"), span(s, "circuitBreakerCooldownMs")
}

// CallWindow returns how many calls of models one conversation may have within a window, and how long none is made
// for it after them.
func (s Settings) CallWindow() (calls int64, window, rest time.Duration) {
	return value[int64](s, "summaryMaxCallsPerWindow"), span(s, "summaryCallWindowMs"), span(s, "summarySpendBackoffMs")
}

// Thinking reports whether models get more tokens to reason with.
func (s Settings) Thinking() bool { return value[bool](s, "enableSummaryThinking") }

// Fallbacks returns the models that are asked where the one in force fails.
func (s Settings) Fallbacks() []string { return value[[]string](s, "fallbackProviders") }

// MaxExpandTokens returns the most that expanding a summary gives.
func (s Settings) MaxExpandTokens() int64 { return value[int64](s, "maxExpandTokens") }

// DelegationTimeout returns how long a model may work on a question.
func (s Settings) DelegationTimeout() time.Duration {
	return span(s, "delegationTimeoutMs")
}

// ExpansionModel returns the provider and the model that answer questions, where it is another one than
// that of summaries; both are empty where none is set. A model that names a provider before a slash
// is whole, and expansionProvider doesn't count.
func (s Settings) ExpansionModel() (provider, model string) {
	provider, model = value[string](s, "expansionProvider"), value[string](s, "expansionModel")
	switch {
	case model == "":
		return "", ""
	case strings.Contains(model, "/"):
		return "", model
	}
	return provider, model
}

// LargeFileModel returns the provider and the model that describe large files. A host asks them only where both are set.
func (s Settings) LargeFileModel() (provider, model string) {
	return value[string](s, "largeFileSummaryProvider"), value[string](s, "largeFileSummaryModel")
}

// DescribesFiles reports whether a model is set that describes large files.
func (s Settings) DescribesFiles() bool {
	provider, model := s.LargeFileModel()
	return provider != "" && model != ""
}

// AutocompactDisabled reports whether LCM_AUTOCOMPACT_DISABLED asks for no compactions by themselves. No host follows it.
func (s Settings) AutocompactDisabled() bool {
	for _, one := range s.Others {
		if one.Name == autocompactDisabled {
			return one.Value == true
		}
	}
	return false
}

// span returns the time that a setting of milliseconds stands for, at most a day.
func span(s Settings, name string) time.Duration {
	const longest = int64(24 * time.Hour / time.Millisecond)
	return time.Duration(min(value[int64](s, name), longest)) * time.Millisecond
}

// LargeFileTokens returns the size from which on payloads stand in files.
func (s Settings) LargeFileTokens() int64 { return value[int64](s, "largeFileThresholdTokens") }

// Location returns the time zone, or the system's.
func (s Settings) Location() *time.Location {
	name := value[string](s, "timezone")
	if at, err := time.LoadLocation(name); err == nil && name != "" {
		return at
	}
	return time.Local
}

// AssumesFreshTail reports whether nobody set how many messages the fresh tail has, so that the
// host's own number may be another one where it runs with a configuration that isn't here.
func (s Settings) AssumesFreshTail() bool {
	return !slices.ContainsFunc(s.All, func(one Setting) bool { return one.Name == "freshTailCount" && one.Source != FromDefault })
}

// value returns that of a setting, or zero where it isn't set.
func value[T any](s Settings, name string) (v T) {
	for _, one := range s.All {
		if one.Name == name {
			v, _ = one.Value.(T)
		}
	}
	return v
}
