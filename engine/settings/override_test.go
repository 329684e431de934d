package settings_test

import (
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/samples"
)

var sampleCache samples.Cache

// TestOverrides: the first rule that holds for a conversation sets its settings,
// and what can't be judged is said.
func TestOverrides(t *testing.T) {
	t.Parallel()
	rule := func(set float64, match ...any) map[string]any {
		r := map[string]any{"contextThreshold": set}
		for i := 0; i < len(match); i += 2 {
			r[match[i].(string)] = match[i+1]
		}
		return r
	}
	const telemetry = "INSERT OR REPLACE INTO conversation_compaction_telemetry(conversation_id, provider, model) VALUES (1, 'anthropic', 'claude-x')"
	const override = "INSERT OR REPLACE INTO conversation_compaction_maintenance(conversation_id, context_threshold, context_threshold_source, context_fresh_tail_count) VALUES (1, 0.25, 'override', 9)"
	windows := map[string]openclaw.Provider{"anthropic": {Windows: map[string]int64{"claude-x": 200_000}}}
	for name, c := range map[string]struct {
		rules []any
		notes []string
		flag  string
		want  float64
		tail  int
		doubt bool
	}{
		"none":                       {want: 0.75, tail: 64},
		"a session":                  {rules: []any{rule(0.5, "sessionPattern", "agent:*:main")}, want: 0.5, tail: 64},
		"a star ends at a colon":     {rules: []any{rule(0.5, "sessionPattern", "agent:*")}, want: 0.75, tail: 64},
		"two stars don't":            {rules: []any{rule(0.5, "sessionPattern", "agent:**")}, want: 0.5, tail: 64},
		"case matters":               {rules: []any{rule(0.5, "sessionPattern", "AGENT:**")}, want: 0.75, tail: 64},
		"the first that holds":       {rules: []any{rule(0.4, "sessionPattern", "x"), rule(0.5), rule(0.6)}, want: 0.5, tail: 64},
		"match in an object":         {rules: []any{map[string]any{"match": map[string]any{"sessionPattern": "agent:**"}, "contextThreshold": 0.5, "freshTailCount": 3.0}}, want: 0.5, tail: 3},
		"a flag is stronger":         {rules: []any{rule(0.5)}, flag: "0.9", want: 0.9, tail: 64},
		"an unknown model":           {rules: []any{rule(0.5, "model", "claude-x")}, want: 0.75, tail: 64, doubt: true},
		"a model the host noted":     {rules: []any{rule(0.5, "model", "claude-x")}, notes: []string{telemetry}, want: 0.5, tail: 64},
		"with its provider":          {rules: []any{rule(0.5, "model", "anthropic/claude-*")}, notes: []string{telemetry}, want: 0.5, tail: 64},
		"another model":              {rules: []any{rule(0.5, "model", "gpt-5")}, notes: []string{telemetry}, want: 0.75, tail: 64},
		"a window within":            {rules: []any{rule(0.5, "modelContextWindowMin", 100_000.0, "modelContextWindowMax", 200_000.0)}, notes: []string{telemetry}, want: 0.5, tail: 64},
		"a window below":             {rules: []any{rule(0.5, "modelContextWindowMin", 500_000.0)}, notes: []string{telemetry}, want: 0.75, tail: 64},
		"an unknown window":          {rules: []any{rule(0.5, "modelContextWindowMin", 1.0)}, want: 0.75, tail: 64, doubt: true},
		"what the host noted itself": {rules: []any{rule(0.5, "model", "claude-x")}, notes: []string{override}, want: 0.25, tail: 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := sample(t, c.notes...)
			conv, err := lcm.ReadConversation(t.Context(), db, 1)
			if err != nil {
				t.Fatal(err)
			}
			conv.SessionKey = "agent:ferry:main"
			host := openclaw.Config{Plugin: map[string]any{"contextThresholdOverrides": c.rules}, Providers: windows}
			s := settings.Load(env{}.get, host, map[string]string{"contextThreshold": c.flag})
			got, doubt, err := s.ForConversation(t.Context(), db, conv)
			if err != nil {
				t.Fatal(err)
			}
			if conf := got.Compaction(); conf.ContextThreshold != c.want || conf.FreshTailCount != c.tail {
				t.Errorf("threshold %v, tail %d; want %v, %d", conf.ContextThreshold, conf.FreshTailCount, c.want, c.tail)
			}
			if c.doubt != (doubt != nil && hint.Of(doubt) != "" && strings.Contains(doubt.Error(), "conversation 1")) {
				t.Errorf("doubt %v", doubt)
			}
			if source := find(t, got, "contextThreshold").source; c.want == 0.5 && !strings.Contains(source, "contextThresholdOverrides[") {
				t.Errorf("source %q", source)
			}
		})
	}
}

// sample returns a file of the newest level in which the host noted something.
func sample(t *testing.T, notes ...string) *data.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, fakehost.V0_15); err != nil {
		t.Fatal(err)
	}
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	forget := []string{"DELETE FROM conversation_compaction_telemetry", "DELETE FROM conversation_compaction_maintenance"}
	for _, sql := range append(forget, notes...) {
		if err := h.Exec(sql); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
