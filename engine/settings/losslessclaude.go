package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lcm-tui/data/openclaw"
)

// claudePreset is a setting of lossless-claude and its default.
type claudePreset struct {
	name   string
	preset any
}

// claudePresets are in the order in which they are shown.
var claudePresets = []claudePreset{
	{"version", 1},
	{"daemon.port", 3737},
	{"daemon.socketPath", nil},
	{"daemon.logLevel", "info"},
	{"daemon.logMaxSizeMB", 10},
	{"daemon.logRetentionDays", 7},
	{"daemon.idleTimeoutMs", 1_800_000},
	{"compaction.leafTokens", 1000},
	{"compaction.maxDepth", 5},
	{"compaction.autoCompactMinTokens", 10_000},
	{"compaction.promotionThresholds.minDepth", 2},
	{"compaction.promotionThresholds.compressionRatio", 0.3},
	{"compaction.promotionThresholds.keywords", map[string]any{}},
	{"compaction.promotionThresholds.architecturePatterns", []any{}},
	{"compaction.promotionThresholds.dedupBm25Threshold", 15},
	{"compaction.promotionThresholds.mergeMaxEntries", 3},
	{"compaction.promotionThresholds.confidenceDecayRate", 0.1},
	{"restoration.recentSummaries", 3},
	{"restoration.promptSearchMinScore", 2},
	{"restoration.promptSearchMaxResults", 3},
	{"restoration.promptSnippetLength", 200},
	{"restoration.recencyHalfLifeHours", 24},
	{"restoration.crossSessionAffinity", 0.85},
	{"llm.provider", "auto"},
	{"llm.model", nil},
	{"llm.apiKey", nil},
	{"llm.baseURL", nil},
	{"summarizer.mock", false},
	{"security.sensitivePatterns", []any{}},
}

// claudeProviders are the values of LCM_SUMMARY_PROVIDER that lossless-claude takes; with any other it doesn't start.
var claudeProviders = []string{"auto", "claude-process", "codex-process", "anthropic", "openai", "disabled"}

// LosslessClaude returns the settings of lossless-claude with their defaults and origins. Keys that aren't among them are
// listed as they are: newer versions have more. Refused says why lossless-claude wouldn't start, or is empty.
func LosslessClaude(c openclaw.ClaudeConfig, env openclaw.Getenv) (all []Setting, refused string) {
	values := map[string]any{}
	for _, p := range claudePresets { // An empty object is a value of its own.
		if v, ok := at(c.Values, p.name); ok {
			values[p.name] = v
		}
		all = append(all, Setting{Name: p.name, Value: p.preset, Default: p.preset, Source: FromDefault, About: "a setting of lossless-claude"})
	}
	for name, v := range flatten("", c.Values) {
		isKnown := slices.ContainsFunc(claudePresets, func(p claudePreset) bool { return name == p.name || strings.HasPrefix(name, p.name+".") })
		if !isKnown {
			values[name] = v
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		v := values[name]
		i := slices.IndexFunc(all, func(s Setting) bool { return s.Name == name })
		if i < 0 {
			all = append(all, Setting{Name: name, About: "not among the settings of lossless-claude 0.2"})
			i = len(all) - 1
			v = shownValue(name, v)
		}
		all[i].Value, all[i].Source = v, c.Path
	}
	provider, key := "", ""
	for i := range all {
		s := &all[i]
		s.HostOnly = true
		switch s.Name {
		case "llm.apiKey":
			key, _ = openclaw.Substitute(s.Value, env).(string)
			s.Value = "unset"
			if key != "" && !strings.HasPrefix(key, "${") {
				s.Value = "set"
			}
		case "llm.baseURL":
			s.Value = shownAddress(s.Value)
		case "llm.provider":
			if given := env(claudeVariable); given != "" {
				s.Value, s.Source = given, "environment "+claudeVariable
			}
			provider, _ = s.Value.(string)
		}
	}
	switch {
	case env(claudeVariable) != "" && !slices.Contains(claudeProviders, provider):
		refused = fmt.Sprintf("lossless-claude doesn't start with %s=%s: it takes %s", claudeVariable, provider, strings.Join(claudeProviders, ", "))
	case provider == "anthropic" && key == "" && env("ANTHROPIC_API_KEY") == "":
		refused = "lossless-claude doesn't start: its provider is anthropic, and no key is set"
	}
	return all, refused
}

// claudeVariable comes before llm.provider.
const claudeVariable = "LCM_SUMMARY_PROVIDER"

// shownAddress returns an address without the user and password that may stand in it.
func shownAddress(v any) any {
	s, ok := v.(string)
	if scheme, rest, is := strings.Cut(s, "://"); ok && is {
		if _, host, has := strings.Cut(rest, "@"); has {
			return scheme + "://…@" + host
		}
	}
	return v
}

// at returns what an object has under a name whose parts are separated by points.
func at(from map[string]any, name string) (v any, ok bool) {
	for part := range strings.SplitSeq(name, ".") {
		if v, ok = from[part]; !ok {
			return nil, false
		}
		from, _ = v.(map[string]any)
	}
	return v, true
}

// flatten returns the values in nested objects by their names.
func flatten(before string, from map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range from {
		inner, ok := v.(map[string]any)
		if !ok || len(inner) == 0 {
			out[before+name] = v
			continue
		}
		maps.Copy(out, flatten(before+name+".", inner))
	}
	return out
}
