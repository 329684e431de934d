package choose_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/model/retry"
	"lcm-tui/engine/model/wire"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/hint"
)

const keyText = "very-secret-key-0123456789"

// given is a key that the user gave for whatever address is in force.
var given = env{"LCM_TUI_SUMMARY_API_KEY": keyText}

// quick are retries that a test can wait for.
var quick = retry.Policy{First: time.Millisecond, Most: 2 * time.Millisecond, Patience: 5 * time.Millisecond}

// env is an environment.
type env map[string]string

func (e env) get(name string) string { return e[name] }

// chosen returns the model that is chosen.
func chosen(t *testing.T, c choose.Choice, e env, host choose.HostConfig) summarize.Model {
	t.Helper()
	if c.Retry == (retry.Policy{}) {
		c.Retry = quick
	}
	m, err := choose.Model(c, e.get, host)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// plain is what a test wants of a choice.
type plain struct {
	name, base string
	api        wire.API
	key        string // Where it was found.
}

func TestResolve(t *testing.T) {
	t.Parallel()
	const (
		anthropic = "https://api.anthropic.com"
		openai    = "https://api.openai.com/v1"
	)
	proxy := choose.HostConfig{
		Model: "anthropic/claude-sonnet-4-6", Defaults: []string{"", "openai/gpt-5"},
		Endpoints: map[string]choose.Endpoint{"anthropic": {BaseURL: "https://proxy.example", Key: model.NewSecret("k")}},
	}
	for name, c := range map[string]struct {
		choice choose.Choice
		env    env
		host   choose.HostConfig
		want   plain
	}{
		"nothing":              {want: plain{name: "extractive/textrank"}},
		"a key alone":          {env: env{"ANTHROPIC_API_KEY": "k"}, want: plain{name: "extractive/textrank"}},
		"a flag":               {choice: choose.Choice{Provider: "anthropic"}, env: env{"ANTHROPIC_API_KEY": "k"}, want: plain{"anthropic/claude-haiku-4-5", anthropic, wire.Messages, "environment ANTHROPIC_API_KEY"}},
		"a model tells":        {choice: choose.Choice{Model: "gpt-5"}, want: plain{"openai/gpt-5", openai, wire.Responses, ""}},
		"provider/model":       {env: env{"LCM_SUMMARY_MODEL": "anthropic/claude-x"}, want: plain{"anthropic/claude-x", anthropic, wire.Messages, ""}},
		"a router's model":     {choice: choose.Choice{Provider: "openrouter", Model: "anthropic/claude-x"}, want: plain{"openrouter/anthropic/claude-x", "https://openrouter.ai/api/v1", wire.Chat, ""}},
		"ours before the host": {env: env{"LCM_TUI_SUMMARY_PROVIDER": "openai", "LCM_SUMMARY_PROVIDER": "anthropic"}, want: plain{"openai/gpt-5-mini", openai, wire.Responses, ""}},
		"the host's":           {host: proxy, want: plain{"anthropic/claude-sonnet-4-6", "https://proxy.example", wire.Messages, "openclaw.json models.providers.anthropic.apiKey"}},
		"the agents' model":    {host: choose.HostConfig{Defaults: []string{"", "openai/gpt-5"}}, want: plain{"openai/gpt-5", openai, wire.Responses, ""}},
		"a model of another vendor is not taken": {
			choice: choose.Choice{Provider: "openai"}, env: env{"LCM_SUMMARY_MODEL": "claude-haiku-4-5"}, host: proxy,
			want: plain{"openai/gpt-5", openai, wire.Responses, ""},
		},
		"a base URL of another vendor is not taken": {
			choice: choose.Choice{Provider: "anthropic"},
			env:    env{"LCM_SUMMARY_PROVIDER": "openai", "LCM_SUMMARY_BASE_URL": "https://elsewhere.example", "LCM_SUMMARY_API_KEY": "o", "ANTHROPIC_API_KEY": "k"},
			want:   plain{"anthropic/claude-haiku-4-5", anthropic, wire.Messages, "environment ANTHROPIC_API_KEY"},
		},
		"a base URL of nobody's": {
			choice: choose.Choice{Provider: "openai", API: wire.Chat}, env: env{"LCM_TUI_SUMMARY_BASE_URL": "http://127.0.0.1:8080"},
			want: plain{"openai/gpt-5-mini", "http://127.0.0.1:8080", wire.Chat, ""},
		},
		"an address alone": {choice: choose.Choice{BaseURL: "http://127.0.0.1:8080", Model: "llama"}, env: env{"OPENAI_API_KEY": "k"}, want: plain{"compatible/llama", "http://127.0.0.1:8080", wire.Chat, ""}},
		"a server of the user's": {
			choice: choose.Choice{Provider: "acme-ai", BaseURL: "https://acme.example/v1", Model: "m"}, env: env{"ACME_AI_API_KEY": "k"},
			want: plain{"acme-ai/m", "https://acme.example/v1", wire.Chat, ""},
		},
		"a server of the host's": {
			choice: choose.Choice{Provider: "acme-ai", Model: "m"}, env: env{"ACME_AI_API_KEY": "k"},
			host: choose.HostConfig{Endpoints: map[string]choose.Endpoint{"acme-ai": {BaseURL: "https://acme.example/v1"}}},
			want: plain{"acme-ai/m", "https://acme.example/v1", wire.Chat, "environment ACME_AI_API_KEY"},
		},
		"a key of the host's, not to another address": {
			choice: choose.Choice{BaseURL: "https://elsewhere.example"}, host: proxy,
			want: plain{"anthropic/claude-sonnet-4-6", "https://elsewhere.example", wire.Messages, ""},
		},
		"a variable of the host's": {
			choice: choose.Choice{Provider: "openai"},
			host: choose.HostConfig{Variable: func(name string) (model.Secret, string) {
				return model.NewSecret(map[string]string{"OPENAI_API_KEY": "k"}[name]), "/state/.env"
			}},
			want: plain{"openai/gpt-5-mini", openai, wire.Responses, "/state/.env: OPENAI_API_KEY"},
		},
		"an API of another vendor is passed over": {
			choice: choose.Choice{Provider: "anthropic"}, env: env{"LCM_TUI_SUMMARY_API": "chat"},
			want: plain{"anthropic/claude-haiku-4-5", anthropic, wire.Messages, ""},
		},
		"a command": {choice: choose.Choice{Exec: "/bin/my-model --fast"}, want: plain{name: "exec/my-model"}},
	} {
		r, err := choose.Resolve(c.choice, c.env.get, c.host)
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
		choice choose.Choice
		env    env
		words  []string
	}{
		"no key":                   {choose.Choice{Provider: "anthropic"}, env{"OPENAI_API_KEY": "k"}, []string{"ANTHROPIC_API_KEY", "LCM_TUI_SUMMARY_API_KEY"}},
		"another port":             {choose.Choice{Provider: "openai", BaseURL: "https://api.openai.com:8443/v1"}, env{"OPENAI_API_KEY": "k"}, []string{"OPENAI_API_KEY goes to https://api.openai.com"}},
		"the vendor unencrypted":   {choose.Choice{Provider: "openai", BaseURL: "http://api.openai.com/v1"}, env{"OPENAI_API_KEY": "k"}, []string{"OPENAI_API_KEY goes to https://api.openai.com"}},
		"another vendor's key":     {choose.Choice{Provider: "openai"}, env{"OPENAI_API_KEY": ant}, []string{"looks like one of anthropic"}},
		"another vendor's address": {choose.Choice{Provider: "anthropic", BaseURL: "https://api.openai.com/v1"}, env{"ANTHROPIC_API_KEY": ant}, []string{"belongs to openai"}},
		"a vendor without a name":  {choose.Choice{BaseURL: "https://api.openai.com/v1", Model: "m"}, env{"LCM_SUMMARY_API_KEY": "k"}, []string{"belongs to openai"}},
		"GitHub's token":           {choose.Choice{Provider: "github-copilot", Model: "m", BaseURL: "https://api.githubcopilot.com"}, env{"GITHUB_TOKEN": "ghp_0123456789"}, []string{"GITHUB_COPILOT_API_KEY"}},
		"GitHub's Copilot":         {choose.Choice{Provider: "github-copilot", Model: "m"}, env{"GITHUB_COPILOT_API_KEY": "0123456789"}, []string{"GitHub Copilot", "flag"}},
		"a login of the program":   {choose.Choice{Provider: "anthropic"}, env{"ANTHROPIC_API_KEY": "sk-ant-oat01-0123"}, []string{"Claude Code"}},
		"in the clear":             {choose.Choice{Provider: "anthropic", BaseURL: "http://proxy.example.com"}, env{"LCM_TUI_SUMMARY_API_KEY": ant}, []string{"unencrypted"}},
		"a password in the URL":    {choose.Choice{Provider: "anthropic", BaseURL: "https://me:pass@proxy.example"}, env{}, []string{"password"}},
		"a fragment in the URL":    {choose.Choice{Provider: "anthropic", BaseURL: "https://proxy.example/#frag"}, env{}, []string{"fragment"}},
		"no such variable":         {choose.Choice{Provider: "openai", KeyEnv: "MY_PROXY_KEY"}, env{}, []string{"MY_PROXY_KEY is not set"}},
		"a key as a name":          {choose.Choice{Provider: "openai", KeyEnv: "sk-0123456789"}, env{}, []string{"--key-env"}},
		"a key as a plain name":    {choose.Choice{Provider: "openai", KeyEnv: "AIza0123456789"}, env{}, []string{"--key-env"}},
		"a key for a program":      {choose.Choice{Provider: "extractive", KeyEnv: "K_K"}, env{"K_K": "0123456789"}, []string{"takes no key"}},
		"no address":               {choose.Choice{Provider: "nobody", Model: "m"}, env{}, []string{"no address is known", "nobody"}},
		"no http":                  {choose.Choice{Provider: "openai", BaseURL: "ftp://x"}, env{}, []string{"not an http"}},
		"no model":                 {choose.Choice{Provider: "groq"}, env{"GROQ_API_KEY": "k"}, []string{"needs a model"}},
		"no such API":              {choose.Choice{Provider: "anthropic", API: wire.Chat}, env{}, []string{"has no API chat"}},
		"no command":               {choose.Choice{Provider: "exec"}, env{}, []string{"needs a command"}},
		"a command beside":         {choose.Choice{Provider: "anthropic", Exec: "cat"}, env{}, []string{"provider is anthropic"}},
		"open quotes":              {choose.Choice{Exec: "echo 'x"}, env{}, []string{"quotes"}},
		"no such program":          {choose.Choice{Exec: "no-such-program-anywhere"}, env{"PATH": "/bin"}, []string{"no-such-program-anywhere"}},
		"no claude":                {choose.Choice{Provider: "claude"}, env{"PATH": "/nowhere"}, []string{"claude"}},
	} {
		_, err := choose.Model(c.choice, c.env.get, choose.HostConfig{})
		if err == nil {
			t.Errorf("%s: not refused", name)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q doesn't say %q", name, err, w)
			}
		}
		if hint.Of(err) == "" {
			t.Errorf("%s: no hint", name)
		}
		if strings.Contains(err.Error()+hint.Of(err), "0123") || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%s: shows the key: %v", name, err)
		}
	}
}

func TestErrAuthOfAMissingKey(t *testing.T) {
	t.Parallel()
	_, err := choose.Model(choose.Choice{Provider: "openai"}, env{}.get, choose.HostConfig{})
	if !errors.Is(err, summarize.ErrAuth) {
		t.Error(err)
	}
}

// TestABrokenAddressIsNotShown where it may have a password in it.
func TestABrokenAddressIsNotShown(t *testing.T) {
	t.Parallel()
	for address, shown := range map[string]string{
		"http://u:s3cr%zzet@h/v1": "", "u:s3cret@h/v1": "", "ftp://u:s3cret@h": "", "htp://h?key=s3cret": "", "https://u:s3cret@h/v1": "https://h/v1", "htp://h/v1": "htp://h/v1",
	} {
		r, err := choose.Resolve(choose.Choice{Provider: "openai", Model: "m", BaseURL: address}, func(string) string { return "" }, choose.HostConfig{})
		if err == nil || r.BaseURL != shown || strings.Contains(err.Error(), "s3cr") {
			t.Errorf("%s: %q, %v", address, r.BaseURL, err)
		}
	}
}
