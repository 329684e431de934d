package choose_test

import (
	"errors"
	"testing"

	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
)

// TestTheBuiltInSummarizerWritesOnlyWhereItIsNamed: the summarizer that stands in where
// nothing names a provider is known as such, also with limits and a cache.
func TestTheBuiltInSummarizerWritesOnlyWhereItIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		choice choose.Choice
		env    env
		host   choose.HostConfig
		named  bool
	}{
		"nothing":           {},
		"a key alone":       {env: env{"OPENAI_API_KEY": "k"}},
		"a flag":            {choice: choose.Choice{Provider: "extractive"}, named: true},
		"an alias":          {choice: choose.Choice{Provider: "TextRank"}, named: true},
		"our variable":      {env: env{"LCM_TUI_SUMMARY_PROVIDER": "extractive"}, named: true},
		"the host's":        {env: env{"LCM_SUMMARY_PROVIDER": "extractive"}, named: true},
		"the plugin's":      {host: choose.HostConfig{Provider: "extractive"}, named: true},
		"a model":           {choice: choose.Choice{Provider: "openai"}, env: env{"OPENAI_API_KEY": "k"}, named: true},
		"an agent's model":  {host: choose.HostConfig{Defaults: []string{"openai/gpt-5"}}, env: env{"OPENAI_API_KEY": "k"}, named: true},
		"a command":         {choice: choose.Choice{Exec: "/bin/cat"}, named: true},
		"a model's address": {choice: choose.Choice{BaseURL: "http://127.0.0.1:1", Model: "m"}, named: true},
	} {
		m := chosen(t, c.choice, c.env, c.host)
		kept, err := summarize.Cache(summarize.Limit(m, 3, 0), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []summarize.Model{m, summarize.Limit(m, 3, 0), kept} {
			err := summarize.CheckNamed(m)
			var unnamed *summarize.UnnamedError
			if (err == nil) != c.named || err != nil && (!errors.As(err, &unnamed) || unnamed.Hint() == "") {
				t.Errorf("%s: %v, named %v", name, err, c.named)
			}
		}
	}
	if summarize.CheckNamed(nil) == nil {
		t.Error("no model at all is named")
	}
}
