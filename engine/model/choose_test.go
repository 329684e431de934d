package model_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// plain is what a test wants of a choice.
type plain struct {
	name, base string
	api        model.API
	key        string // Where it was found.
}

func TestResolve(t *testing.T) {
	t.Parallel()
	const (
		anthropic = "https://api.anthropic.com"
		openai    = "https://api.openai.com/v1"
	)
	proxy := model.HostConfig{
		Model: "anthropic/claude-sonnet-4-6", Defaults: []string{"", "openai/gpt-5"},
		Endpoints: map[string]model.Endpoint{"anthropic": {BaseURL: "https://proxy.example", Key: model.NewSecret("k")}},
	}
	for name, c := range map[string]struct {
		choice model.Choice
		env    env
		host   model.HostConfig
		want   plain
	}{
		"nothing":              {want: plain{name: "extractive/textrank"}},
		"a key alone":          {env: env{"ANTHROPIC_API_KEY": "k"}, want: plain{name: "extractive/textrank"}},
		"a flag":               {choice: model.Choice{Provider: "anthropic"}, env: env{"ANTHROPIC_API_KEY": "k"}, want: plain{"anthropic/claude-haiku-4-5", anthropic, model.Messages, "environment ANTHROPIC_API_KEY"}},
		"a model tells":        {choice: model.Choice{Model: "gpt-5"}, want: plain{"openai/gpt-5", openai, model.Responses, ""}},
		"provider/model":       {env: env{"LCM_SUMMARY_MODEL": "anthropic/claude-x"}, want: plain{"anthropic/claude-x", anthropic, model.Messages, ""}},
		"a router's model":     {choice: model.Choice{Provider: "openrouter", Model: "anthropic/claude-x"}, want: plain{"openrouter/anthropic/claude-x", "https://openrouter.ai/api/v1", model.Chat, ""}},
		"ours before the host": {env: env{"LCM_TUI_SUMMARY_PROVIDER": "openai", "LCM_SUMMARY_PROVIDER": "anthropic"}, want: plain{"openai/gpt-5-mini", openai, model.Responses, ""}},
		"the host's":           {host: proxy, want: plain{"anthropic/claude-sonnet-4-6", "https://proxy.example", model.Messages, "openclaw.json models.providers.anthropic.apiKey"}},
		"the agents' model":    {host: model.HostConfig{Defaults: []string{"", "openai/gpt-5"}}, want: plain{"openai/gpt-5", openai, model.Responses, ""}},
		"a model of another vendor is not taken": {
			choice: model.Choice{Provider: "openai"}, env: env{"LCM_SUMMARY_MODEL": "claude-haiku-4-5"}, host: proxy,
			want: plain{"openai/gpt-5", openai, model.Responses, ""},
		},
		"a base URL of another vendor is not taken": {
			choice: model.Choice{Provider: "anthropic"},
			env:    env{"LCM_SUMMARY_PROVIDER": "openai", "LCM_SUMMARY_BASE_URL": "https://elsewhere.example", "LCM_SUMMARY_API_KEY": "o", "ANTHROPIC_API_KEY": "k"},
			want:   plain{"anthropic/claude-haiku-4-5", anthropic, model.Messages, "environment ANTHROPIC_API_KEY"},
		},
		"a base URL of nobody's": {
			choice: model.Choice{Provider: "openai", API: model.Chat}, env: env{"LCM_TUI_SUMMARY_BASE_URL": "http://127.0.0.1:8080"},
			want: plain{"openai/gpt-5-mini", "http://127.0.0.1:8080", model.Chat, ""},
		},
		"an address alone": {choice: model.Choice{BaseURL: "http://127.0.0.1:8080", Model: "llama"}, env: env{"OPENAI_API_KEY": "k"}, want: plain{"compatible/llama", "http://127.0.0.1:8080", model.Chat, ""}},
		"a server of the user's": {
			choice: model.Choice{Provider: "acme-ai", BaseURL: "https://acme.example/v1", Model: "m"}, env: env{"ACME_AI_API_KEY": "k"},
			want: plain{"acme-ai/m", "https://acme.example/v1", model.Chat, ""},
		},
		"a server of the host's": {
			choice: model.Choice{Provider: "acme-ai", Model: "m"}, env: env{"ACME_AI_API_KEY": "k"},
			host: model.HostConfig{Endpoints: map[string]model.Endpoint{"acme-ai": {BaseURL: "https://acme.example/v1"}}},
			want: plain{"acme-ai/m", "https://acme.example/v1", model.Chat, "environment ACME_AI_API_KEY"},
		},
		"a key of the host's, not to another address": {
			choice: model.Choice{BaseURL: "https://elsewhere.example"}, host: proxy,
			want: plain{"anthropic/claude-sonnet-4-6", "https://elsewhere.example", model.Messages, ""},
		},
		"a variable of the host's": {
			choice: model.Choice{Provider: "openai"},
			host: model.HostConfig{Variable: func(name string) (model.Secret, string) {
				return model.NewSecret(map[string]string{"OPENAI_API_KEY": "k"}[name]), "/state/.env"
			}},
			want: plain{"openai/gpt-5-mini", openai, model.Responses, "/state/.env: OPENAI_API_KEY"},
		},
		"an API of another vendor is passed over": {
			choice: model.Choice{Provider: "anthropic"}, env: env{"LCM_TUI_SUMMARY_API": "chat"},
			want: plain{"anthropic/claude-haiku-4-5", anthropic, model.Messages, ""},
		},
		"a command": {choice: model.Choice{Exec: "/bin/my-model --fast"}, want: plain{name: "exec/my-model"}},
	} {
		r, err := model.Resolve(c.choice, c.env.get, c.host)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := (plain{r.Name(), r.BaseURL, r.API, r.KeyFrom}); got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, c.want)
		}
	}
}

// TestRefusedChoices: what can't work, or would send a key where it doesn't
// belong, is said before anything is sent.
func TestRefusedChoices(t *testing.T) {
	t.Parallel()
	ant := "sk-ant-api03-0123456789"
	for name, c := range map[string]struct {
		choice model.Choice
		env    env
		words  []string
	}{
		"no key":                   {model.Choice{Provider: "anthropic"}, env{"OPENAI_API_KEY": "k"}, []string{"ANTHROPIC_API_KEY", "LCM_TUI_SUMMARY_API_KEY"}},
		"another port":             {model.Choice{Provider: "openai", BaseURL: "https://api.openai.com:8443/v1"}, env{"OPENAI_API_KEY": "k"}, []string{"OPENAI_API_KEY goes to https://api.openai.com"}},
		"the vendor unencrypted":   {model.Choice{Provider: "openai", BaseURL: "http://api.openai.com/v1"}, env{"OPENAI_API_KEY": "k"}, []string{"OPENAI_API_KEY goes to https://api.openai.com"}},
		"another vendor's key":     {model.Choice{Provider: "openai"}, env{"OPENAI_API_KEY": ant}, []string{"looks like one of anthropic"}},
		"another vendor's address": {model.Choice{Provider: "anthropic", BaseURL: "https://api.openai.com/v1"}, env{"ANTHROPIC_API_KEY": ant}, []string{"belongs to openai"}},
		"a vendor without a name":  {model.Choice{BaseURL: "https://api.openai.com/v1", Model: "m"}, env{"LCM_SUMMARY_API_KEY": "k"}, []string{"belongs to openai"}},
		"GitHub's token":           {model.Choice{Provider: "github-copilot", Model: "m", BaseURL: "https://api.githubcopilot.com"}, env{"GITHUB_TOKEN": "ghp_0123456789"}, []string{"GITHUB_COPILOT_API_KEY"}},
		"GitHub's Copilot":         {model.Choice{Provider: "github-copilot", Model: "m"}, env{"GITHUB_COPILOT_API_KEY": "0123456789"}, []string{"GitHub Copilot", "flag"}},
		"a login of the program":   {model.Choice{Provider: "anthropic"}, env{"ANTHROPIC_API_KEY": "sk-ant-oat01-0123"}, []string{"Claude Code"}},
		"in the clear":             {model.Choice{Provider: "anthropic", BaseURL: "http://proxy.example.com"}, env{"LCM_TUI_SUMMARY_API_KEY": ant}, []string{"unencrypted"}},
		"a password in the URL":    {model.Choice{Provider: "anthropic", BaseURL: "https://me:pass@proxy.example"}, env{}, []string{"password"}},
		"a fragment in the URL":    {model.Choice{Provider: "anthropic", BaseURL: "https://proxy.example/#frag"}, env{}, []string{"fragment"}},
		"no such variable":         {model.Choice{Provider: "openai", KeyEnv: "MY_PROXY_KEY"}, env{}, []string{"MY_PROXY_KEY is not set"}},
		"a key as a name":          {model.Choice{Provider: "openai", KeyEnv: "sk-0123456789"}, env{}, []string{"--key-env"}},
		"a key as a plain name":    {model.Choice{Provider: "openai", KeyEnv: "AIza0123456789"}, env{}, []string{"--key-env"}},
		"a key for a program":      {model.Choice{Provider: "extractive", KeyEnv: "K_K"}, env{"K_K": "0123456789"}, []string{"takes no key"}},
		"no address":               {model.Choice{Provider: "nobody", Model: "m"}, env{}, []string{"no address is known", "nobody"}},
		"no http":                  {model.Choice{Provider: "openai", BaseURL: "ftp://x"}, env{}, []string{"not an http"}},
		"no model":                 {model.Choice{Provider: "groq"}, env{"GROQ_API_KEY": "k"}, []string{"needs a model"}},
		"no such API":              {model.Choice{Provider: "anthropic", API: model.Chat}, env{}, []string{"has no API chat"}},
		"no command":               {model.Choice{Provider: "exec"}, env{}, []string{"needs a command"}},
		"a command beside":         {model.Choice{Provider: "anthropic", Exec: "cat"}, env{}, []string{"provider is anthropic"}},
		"open quotes":              {model.Choice{Exec: "echo 'x"}, env{}, []string{"quotes"}},
		"no such program":          {model.Choice{Exec: "no-such-program-anywhere"}, env{"PATH": "/bin"}, []string{"no-such-program-anywhere"}},
		"no claude":                {model.Choice{Provider: "claude"}, env{"PATH": "/nowhere"}, []string{"claude"}},
	} {
		_, err := model.Choose(c.choice, c.env.get, model.HostConfig{})
		if err == nil {
			t.Errorf("%s: not refused", name)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q doesn't say %q", name, err, w)
			}
		}
		var h interface{ Hint() string }
		if !errors.As(err, &h) || h.Hint() == "" {
			t.Errorf("%s: no hint", name)
		}
		if strings.Contains(err.Error()+h.Hint(), "0123") || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%s: shows the key: %v", name, err)
		}
	}
}

func TestErrAuthOfAMissingKey(t *testing.T) {
	t.Parallel()
	_, err := model.Choose(model.Choice{Provider: "openai"}, env{}.get, model.HostConfig{})
	if !errors.Is(err, summarize.ErrAuth) {
		t.Error(err)
	}
}
