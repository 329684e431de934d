package settings_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/compact"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/hint"
)

// env is an environment.
type env map[string]string

func (e env) get(name string) string { return e[name] }

// one is a setting's value and where it comes from.
type one struct {
	value  any
	source string
}

func find(t *testing.T, s settings.Settings, name string) one {
	t.Helper()
	for _, x := range s.All {
		if x.Name == name {
			return one{x.Value, x.Source}
		}
	}
	t.Fatalf("there is no setting %s", name)
	return one{}
}

const plugin = "openclaw.json plugins.entries.lossless-claw.config."

func TestPrecedence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		flag   string
		env    env
		plugin map[string]any
		want   one
		wrong  int
	}{
		{name: "freshTailCount", want: one{int64(64), "default"}},
		{name: "freshTailCount", plugin: map[string]any{"freshTailCount": 8.0}, want: one{int64(8), plugin + "freshTailCount"}},
		{name: "freshTailCount", env: env{"LCM_FRESH_TAIL_COUNT": " 16 "}, plugin: map[string]any{"freshTailCount": 8.0}, want: one{int64(16), "environment LCM_FRESH_TAIL_COUNT"}},
		{name: "freshTailCount", flag: "4", env: env{"LCM_FRESH_TAIL_COUNT": "16"}, want: one{int64(4), "flag"}},
		{name: "freshTailCount", env: env{"LCM_FRESH_TAIL_COUNT": "many"}, plugin: map[string]any{"freshTailCount": "12"}, want: one{int64(12), plugin + "freshTailCount"}, wrong: 2},
		{name: "freshTailCount", env: env{"LCM_FRESH_TAIL_COUNT": "-1"}, plugin: map[string]any{"freshTailCount": true}, want: one{int64(64), "default"}, wrong: 2},
		{name: "freshTailCount", env: env{"LCM_FRESH_TAIL_COUNT": "0"}, want: one{int64(0), "environment LCM_FRESH_TAIL_COUNT"}},
		{name: "freshTailCount", env: env{"LCM_FRESH_TAIL_COUNT": "1.5"}, want: one{int64(64), "default"}, wrong: 1},
		{name: "freshTailCount", env: env{"LCM_FRESH_TAIL_COUNT": "2e1"}, want: one{int64(20), "environment LCM_FRESH_TAIL_COUNT"}},
		{name: "leafChunkTokens", env: env{"LCM_LEAF_CHUNK_TOKENS": "Infinity"}, want: one{int64(20_000), "default"}, wrong: 1},
		{name: "contextThreshold", env: env{"LCM_CONTEXT_THRESHOLD": "0.5"}, want: one{0.5, "environment LCM_CONTEXT_THRESHOLD"}},
		{name: "contextThreshold", env: env{"LCM_CONTEXT_THRESHOLD": "75"}, want: one{0.75, "default"}, wrong: 1},
		{name: "leafMinFanout", env: env{"LCM_LEAF_MIN_FANOUT": "1"}, want: one{int64(8), "default"}, wrong: 1},
		{name: "fallbackMaxTokens", plugin: map[string]any{"fallbackMaxTokens": 63.0}, want: one{int64(512), "default"}, wrong: 1},
		{name: "summaryMaxOverageFactor", plugin: map[string]any{"summaryMaxOverageFactor": 0.5}, want: one{3.0, "default"}, wrong: 1},
		{name: "maxAssemblyTokenBudget", want: one{nil, "default"}},
		{name: "maxAssemblyTokenBudget", env: env{"LCM_MAX_ASSEMBLY_TOKEN_BUDGET": "999"}, want: one{nil, "default"}, wrong: 1},
		{name: "sweepMaxDepth", plugin: map[string]any{"incrementalMaxDepth": -1.0}, want: one{int64(-1), plugin + "incrementalMaxDepth"}},
		{name: "sweepMaxDepth", plugin: map[string]any{"incrementalMaxDepth": 3.0, "sweepMaxDepth": 2.0}, want: one{int64(2), plugin + "sweepMaxDepth"}},
		{name: "sweepMaxDepth", env: env{"LCM_INCREMENTAL_MAX_DEPTH": "4"}, plugin: map[string]any{"sweepMaxDepth": 2.0}, want: one{int64(4), "environment LCM_INCREMENTAL_MAX_DEPTH"}},
		{name: "sweepMaxDepth", plugin: map[string]any{"sweepMaxDepth": -2.0}, want: one{int64(1), "default"}, wrong: 1},
		{name: "largeFileThresholdTokens", plugin: map[string]any{"largeFileTokenThreshold": 2000.0, "largeFileThresholdTokens": 3000.0}, want: one{int64(3000), plugin + "largeFileThresholdTokens"}},
		{name: "largeFileThresholdTokens", plugin: map[string]any{"largeFileTokenThreshold": 2000.0}, want: one{int64(2000), plugin + "largeFileTokenThreshold"}},
		{name: "enableSummaryThinking", want: one{true, "default"}},
		{name: "enableSummaryThinking", plugin: map[string]any{"enableSummaryThinking": false}, want: one{false, plugin + "enableSummaryThinking"}},
		{name: "enableSummaryThinking", env: env{"LCM_ENABLE_SUMMARY_THINKING": "1"}, want: one{false, "environment LCM_ENABLE_SUMMARY_THINKING"}, wrong: 1},
		{name: "promptAwareEviction", env: env{"LCM_PROMPT_AWARE_EVICTION_ENABLED": "true"}, want: one{true, "environment LCM_PROMPT_AWARE_EVICTION_ENABLED"}},
		{name: "stubLargeToolPayloads", plugin: map[string]any{"stubLargeToolPayloads": 1.0}, want: one{false, "default"}, wrong: 1},
		{name: "stripInjectedContextTags", env: env{"LCM_STRIP_INJECTED_CONTEXT_TAGS": "a, ,b"}, want: one{[]string{"a", "b"}, "environment LCM_STRIP_INJECTED_CONTEXT_TAGS"}},
		{name: "stripInjectedContextTags", plugin: map[string]any{"stripInjectedContextTags": []any{}}, want: one{[]string{}, plugin + "stripInjectedContextTags"}},
		{name: "stripInjectedContextTags", plugin: map[string]any{"stripInjectedContextTags": []any{"a", 1.0}}, want: one{compact.Defaults().StripTags, "default"}, wrong: 1},
		{name: "customInstructions", plugin: map[string]any{"customInstructions": "Be kind.\n"}, want: one{"Be kind.", plugin + "customInstructions"}},
		{name: "timezone", env: env{"TZ": ":Europe/Berlin"}, want: one{"Europe/Berlin", "environment TZ"}},
		{name: "timezone", env: env{"TZ": "/usr/share/zoneinfo/Asia/Tokyo"}, want: one{"Asia/Tokyo", "environment TZ"}},
		{name: "timezone", env: env{"TZ": "Mars/Olympus"}, plugin: map[string]any{"timezone": "UTC"}, want: one{"UTC", plugin + "timezone"}, wrong: 1},
		{name: "contextThresholdOverrides", plugin: map[string]any{"contextThresholdOverrides": []any{map[string]any{"model": "x"}}}, want: one{[]any{map[string]any{"model": "x"}}, plugin + "contextThresholdOverrides"}},
		{name: "contextThresholdOverrides", plugin: map[string]any{"contextThresholdOverrides": []any{map[string]any{"contextThreshold": 7.0}}}, want: one{nil, "default"}, wrong: 1},
		{name: "fallbackProviders", want: one{[]string{}, "default"}},
		{name: "fallbackProviders", env: env{"LCM_FALLBACK_PROVIDERS": "openai/gpt-5, groq/llama"}, want: one{[]string{"openai/gpt-5", "groq/llama"}, "environment LCM_FALLBACK_PROVIDERS"}},
		{name: "fallbackProviders", plugin: map[string]any{"fallbackProviders": []any{"openai/gpt-5", map[string]any{"provider": "groq", "model": "llama"}}}, want: one{[]string{"openai/gpt-5", "groq/llama"}, plugin + "fallbackProviders"}},
		{name: "fallbackProviders", plugin: map[string]any{"fallbackProviders": []any{map[string]any{}}}, want: one{[]string{}, "default"}, wrong: 1},
		{name: "summaryTimeoutMs", env: env{"LCM_SUMMARY_TIMEOUT_MS": "1000", "LCM_TUI_SUMMARY_TIMEOUT_MS": "2000"}, want: one{int64(2000), "environment LCM_TUI_SUMMARY_TIMEOUT_MS"}},
	} {
		s := settings.Load(c.env.get, openclaw.Config{Plugin: c.plugin}, map[string]string{c.name: c.flag})
		got := find(t, s, c.name)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(one{})); diff != "" {
			t.Errorf("%s with %v and %v: %s", c.name, c.env, c.plugin, diff)
		}
		if len(s.Problems) != c.wrong {
			t.Errorf("%s with %v and %v: problems %v", c.name, c.env, c.plugin, s.Problems)
		}
		for _, p := range s.Problems {
			if hint.Of(p) == "" || !strings.Contains(p.Error(), c.name) {
				t.Errorf("%v", p)
			}
		}
	}
}

// TestDefaults: what nobody sets is compact's own, and every field of it has a
// setting.
func TestDefaults(t *testing.T) {
	t.Parallel()
	s := settings.Load(env{}.get, openclaw.Config{}, nil)
	if diff := cmp.Diff(compact.Defaults(), s.Compaction()); diff != "" {
		t.Error(diff)
	}
	b, err := json.Marshal(compact.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil {
		t.Fatal(err)
	}
	for name := range fields {
		find(t, s, name)
	}
	for _, x := range s.All {
		if x.About == "" || x.Source != settings.FromDefault {
			t.Errorf("%+v", x)
		}
	}
	if s.SummaryTimeout() != time.Minute || !s.Thinking() || s.MaxExpandTokens() != 4000 || s.LargeFileTokens() != 25_000 || s.Location() != time.Local {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff(settings.Assembly{FreshTailCount: 64}, s.Assembly()); diff != "" {
		t.Error(diff)
	}
}

// TestAssumesFreshTail: only the number of its messages says that somebody set the fresh tail; the
// most tokens that it may have leave open how many messages the host keeps.
func TestAssumesFreshTail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  env
		want bool
	}{
		{nil, true},
		{env{"LCM_FRESH_TAIL_MAX_TOKENS": "300"}, true},
		{env{"LCM_FRESH_TAIL_COUNT": "64"}, false},
		{env{"LCM_FRESH_TAIL_COUNT": "8", "LCM_FRESH_TAIL_MAX_TOKENS": "300"}, false},
	} {
		if got := settings.Load(c.env.get, openclaw.Config{}, nil).AssumesFreshTail(); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
	if !(settings.Settings{}).AssumesFreshTail() {
		t.Error("settings that nobody has read say how many messages the fresh tail has")
	}
}

func TestCompaction(t *testing.T) {
	t.Parallel()
	e := env{
		"LCM_CONTEXT_THRESHOLD": "0.6", "LCM_FRESH_TAIL_COUNT": "2", "LCM_FRESH_TAIL_MAX_TOKENS": "300", "LCM_SWEEP_MAX_DEPTH": "-1",
		"LCM_SUMMARY_MAX_OVERAGE_FACTOR": "1.5", "LCM_CUSTOM_INSTRUCTIONS": "Be kind.", "LCM_STRIP_INJECTED_CONTEXT_TAGS": "x", "TZ": "Asia/Tokyo",
	}
	s := settings.Load(e.get, openclaw.Config{}, map[string]string{"leafChunkTokens": "5000"})
	want := compact.Defaults()
	want.ContextThreshold, want.FreshTailCount, want.FreshTailMaxTokens, want.SweepMaxDepth = 0.6, 2, new(int64(300)), -1
	want.SummaryMaxOverageFactor, want.CustomInstructions, want.StripTags = 1.5, "Be kind.", []string{"x"}
	want.Timezone, want.LeafChunkTokens = "Asia/Tokyo", 5000
	if diff := cmp.Diff(want, s.Compaction()); diff != "" {
		t.Error(diff)
	}
	if s.Location().String() != "Asia/Tokyo" {
		t.Error(s.Location())
	}
}
