package choose

import (
	"net/url"
	"slices"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/wire"
)

// Compatible is the provider of a server of which only the address is known.
const Compatible = "compatible"

// copilot is GitHub's. It gives out no keys of its own, so there is no address to ask
// without a word from the user.
const copilot = "github-copilot"

// vendor is who can be asked over HTTP, and which keys are its own.
type vendor struct {
	name  string
	apis  []wire.API // The first is meant where none is named.
	base  string
	keys  []string // Environment variables.
	model string   // Asked where none is named.
	// bearer sends the key as a bearer's in the Messages format.
	bearer  bool
	keyless bool
	// hosts are its own beside that of base. Its keys go nowhere else.
	hosts []string
}

// vendors are those whose address and whose key's name are known. Any other name
// works with a base URL, and with <NAME>_API_KEY.
var vendors = []vendor{
	{name: "anthropic", apis: []wire.API{wire.Messages}, base: "https://api.anthropic.com", keys: []string{"ANTHROPIC_API_KEY"}, model: "claude-haiku-4-5"},
	{name: "openai", apis: []wire.API{wire.Responses, wire.Chat}, base: "https://api.openai.com/v1", keys: []string{"OPENAI_API_KEY"}, model: "gpt-5-mini", hosts: []string{"us.api.openai.com", "eu.api.openai.com"}},
	{name: "google", apis: []wire.API{wire.Chat}, base: "https://generativelanguage.googleapis.com/v1beta/openai", keys: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
	{name: "openrouter", apis: []wire.API{wire.Chat}, base: "https://openrouter.ai/api/v1", keys: []string{"OPENROUTER_API_KEY"}},
	{name: "groq", apis: []wire.API{wire.Chat}, base: "https://api.groq.com/openai/v1", keys: []string{"GROQ_API_KEY"}},
	{name: "mistral", apis: []wire.API{wire.Chat}, base: "https://api.mistral.ai/v1", keys: []string{"MISTRAL_API_KEY"}},
	{name: "deepseek", apis: []wire.API{wire.Chat}, base: "https://api.deepseek.com/v1", keys: []string{"DEEPSEEK_API_KEY"}},
	{name: "xai", apis: []wire.API{wire.Chat}, base: "https://api.x.ai/v1", keys: []string{"XAI_API_KEY"}},
	{name: "minimax", apis: []wire.API{wire.Messages}, base: "https://api.minimax.io/anthropic", keys: []string{"MINIMAX_API_KEY"}, model: "MiniMax-M3", bearer: true},
	{name: "minimax-cn", apis: []wire.API{wire.Messages}, base: "https://api.minimaxi.com/anthropic", keys: []string{"MINIMAX_CN_API_KEY", "MINIMAX_API_KEY"}, model: "MiniMax-M3", bearer: true},
	{name: copilot, apis: []wire.API{wire.Chat, wire.Responses}, keys: []string{"GITHUB_COPILOT_API_KEY"}, hosts: []string{
		"api.githubcopilot.com", "api.individual.githubcopilot.com", "api.business.githubcopilot.com", "api.enterprise.githubcopilot.com",
	}}, // Never GITHUB_TOKEN.
	{name: "ollama", apis: []wire.API{wire.Chat}, base: "http://127.0.0.1:11434/v1", keyless: true},
	{name: "lmstudio", apis: []wire.API{wire.Chat}, base: "http://127.0.0.1:1234/v1", keyless: true},
	{name: Compatible, apis: []wire.API{wire.Chat, wire.Responses, wire.Messages}, keyless: true},
}

// aliases are other names under which providers are known.
var aliases = map[string]string{
	"claude-cli": model.Claude, "claude-code": model.Claude, "codex-cli": model.Codex, "openai-codex": model.Codex,
	"gemini": "google", "command": model.Exec, "textrank": model.Extractive, "lexrank": model.Extractive,
}

// canonical returns the one name of a provider.
func canonical(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if a, ok := aliases[name]; ok {
		return a
	}
	return name
}

// vendorOf gives a vendor by its name; one that isn't known is a compatible
// server with a key of its own name.
func vendorOf(name string) (v vendor, known bool) {
	for _, v := range vendors {
		if v.name == name {
			return v, true
		}
	}
	env := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(name))
	return vendor{name: name, apis: []wire.API{wire.Chat, wire.Responses, wire.Messages}, keys: []string{env + "_API_KEY"}}, false
}

// infer tells the vendor from the name of a model, if it tells.
func infer(name string) string {
	name = strings.ToLower(name)
	if head, _, ok := strings.Cut(name, "/"); ok {
		head = canonical(head)
		if _, known := vendorOf(head); known || model.IsLocal(head) {
			return head
		}
		return ""
	}
	for _, m := range []struct{ start, vendor string }{
		{"claude", "anthropic"},
		{"gpt-", "openai"},
		{"o1", "openai"},
		{"o3", "openai"},
		{"o4", "openai"},
		{"codex", "openai"},
		{"gemini", "google"},
		{"minimax-", "minimax"},
		{"grok-", "xai"},
		{"deepseek-", "deepseek"},
	} {
		if strings.HasPrefix(name, m.start) {
			return m.vendor
		}
	}
	return ""
}

// ownHosts returns the hosts of a vendor.
func (v vendor) ownHosts() []string {
	u, err := url.Parse(v.base)
	if err != nil || v.base == "" || v.keyless {
		return v.hosts
	}
	return append([]string{u.Hostname()}, v.hosts...)
}

// owns reports whether an address is the vendor's own, so that its keys may go there:
// one of its hosts, by https, at the usual port.
func (v vendor) owns(base string) bool {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Port() != "" && u.Port() != "443" {
		return false
	}
	return v.at(u)
}

// at reports whether an address is at a host of the vendor.
func (v vendor) at(u *url.URL) bool {
	return slices.ContainsFunc(v.ownHosts(), func(host string) bool { return strings.EqualFold(u.Hostname(), host) })
}

// ownerOfHost returns the vendor to whom a host belongs, if that is known, whatever the
// port and the scheme.
func ownerOfHost(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	for _, v := range vendors {
		if v.at(u) {
			return v.name
		}
	}
	return ""
}

// ownerOfKey returns the vendor to whom a key belongs, if its form tells.
func ownerOfKey(key model.Secret) string {
	for _, k := range []struct{ start, vendor string }{
		{"sk-ant-", "anthropic"},
		{"sk-or-", "openrouter"},
		{"sk-proj-", "openai"},
		{"sk-svcacct-", "openai"},
		{"gsk_", "groq"},
		{"xai-", "xai"},
		{"AIza", "google"},
		{"ghp_", "github"},
		{"gho_", "github"},
		{"ghu_", "github-copilot"},
		{"github_pat_", "github"},
	} {
		if key.HasPrefix(k.start) {
			return k.vendor
		}
	}
	return ""
}
