package choose

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/wire"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testlength"
)

// recorder is a network that notes what is sent, and answers every call in all formats.
type recorder struct {
	sent   []*http.Request
	status int
	to     string // Where it redirects.
}

func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	r.sent = append(r.sent, q)
	const all = `{"id":"1","type":"message","role":"assistant","content":[{"type":"text","text":"brief"}],"stop_reason":"end_turn","status":"completed",
		"output":[{"type":"message","content":[{"type":"output_text","text":"brief"}]}],"choices":[{"message":{"content":"brief"},"finish_reason":"stop"}]}`
	h := http.Header{"Content-Type": {"application/json"}}
	if r.to != "" {
		h.Set("Location", r.to)
	}
	return &http.Response{StatusCode: max(200, r.status), Header: h, Body: io.NopCloser(strings.NewReader(all)), Request: q}, nil
}

// carried returns every text of the requests in which a key may stand.
func (r *recorder) carried() string {
	var b strings.Builder
	for _, q := range r.sent {
		fmt.Fprintln(&b, q.URL, q.Header)
	}
	return b.String()
}

// askOver asks a model once over another network.
func askOver(t *testing.T, r Resolved, net *recorder) error {
	t.Helper()
	server := r.server()
	server.Transport = net
	_, err := wire.New(server).Summarize(t.Context(), summarize.Request{Prompt: "p", Source: "a long source", Target: 10})
	return err
}

// vendorKeys returns an environment in which every vendor's variable is set.
func vendorKeys() map[string]string {
	keys := map[string]string{"GITHUB_TOKEN": "key-of-GITHUB_TOKEN", "ACME_API_KEY": "key-of-ACME_API_KEY"}
	for _, v := range vendors {
		for _, name := range v.keys {
			keys[name] = "key-of-" + name
		}
	}
	return keys
}

// ways returns all the ways to name a provider, a model and an address.
func ways(provider, name, base string) map[string]func(map[string]string) (Choice, HostConfig) {
	set := func(env map[string]string, prefix string, names ...string) {
		for i, v := range []string{provider, name, base} {
			if names[i] != "" && v != "" {
				env[prefix+names[i]] = v
			}
		}
	}
	named := provider + "/" + name
	return map[string]func(map[string]string) (Choice, HostConfig){
		"flags": func(map[string]string) (Choice, HostConfig) {
			return Choice{Provider: provider, Model: name, BaseURL: base}, HostConfig{}
		},
		"an address and a model": func(map[string]string) (Choice, HostConfig) {
			return Choice{Model: name, BaseURL: base}, HostConfig{}
		},
		"an address and provider/model": func(map[string]string) (Choice, HostConfig) {
			return Choice{Model: named, BaseURL: base}, HostConfig{}
		},
		"our variables": func(env map[string]string) (Choice, HostConfig) {
			set(env, "LCM_TUI_SUMMARY_", "PROVIDER", "MODEL", "BASE_URL")
			return Choice{}, HostConfig{}
		},
		"our variables without a provider": func(env map[string]string) (Choice, HostConfig) {
			set(env, "LCM_TUI_SUMMARY_", "", "MODEL", "BASE_URL")
			return Choice{}, HostConfig{}
		},
		"the host's variables": func(env map[string]string) (Choice, HostConfig) {
			set(env, "LCM_SUMMARY_", "PROVIDER", "MODEL", "BASE_URL")
			return Choice{}, HostConfig{}
		},
		"the host's variables without a provider": func(env map[string]string) (Choice, HostConfig) {
			set(env, "LCM_SUMMARY_", "", "MODEL", "BASE_URL")
			return Choice{}, HostConfig{}
		},
		"a variable's address and the plugin's model": func(env map[string]string) (Choice, HostConfig) {
			set(env, "LCM_TUI_SUMMARY_", "", "", "BASE_URL")
			return Choice{}, HostConfig{Provider: provider, Model: name}
		},
		"the agents' model at a flag's address": func(map[string]string) (Choice, HostConfig) {
			return Choice{BaseURL: base}, HostConfig{Defaults: []string{named}}
		},
		"the host's entry": func(map[string]string) (Choice, HostConfig) {
			return Choice{}, HostConfig{Model: named, Endpoints: map[string]Endpoint{provider: {BaseURL: base}}}
		},
		"the host's entry without an address": func(map[string]string) (Choice, HostConfig) {
			return Choice{BaseURL: base}, HostConfig{Model: named, Endpoints: map[string]Endpoint{provider: {Key: model.NewSecret("key-of-the-entry")}}}
		},
	}
}

// addresses returns those of a vendor itself, and those that are not.
func addresses(v vendor) map[string]bool {
	all := map[string]bool{
		"https://proxy.example/v1": false, "https://203.0.113.7/v1": false, "http://127.0.0.1:8080/v1": false, "http://[::1]:8080": false,
		"http://localhost:1234/v1": false, "https://gateway.internal": false, "https://xn--penai-2qb.com": false,
	}
	if len(v.ownHosts()) == 0 {
		return all
	}
	for _, host := range v.ownHosts() {
		all["https://"+host], all["https://"+strings.ToUpper(host)+":443/v1"] = true, true
		for _, not := range []string{
			"http://HOST/v1", "https://HOST:8443/v1", "https://HOST.evil.test/v1", "https://evilHOST/v1", "https://evil.test/HOST/v1", "https://HOST@evil.test/v1",
			"https://user:pass@HOST/v1", "https://evil.test?HOST", "https://evil.test#HOST", "https://HOST./v1", "https://sub.HOST/v1", "https://HOST%2eevil.test/v1", "https://HOST\\@evil.test",
		} {
			all[strings.ReplaceAll(not, "HOST", host)] = false
		}
	}
	return all
}

// TestAVendorsKeyGoesToThatVendorOnly: a key from a vendor's own variable, whether of
// the environment or of the host, goes to that vendor's own hosts and to no other
// address, however provider, model and address are named.
func TestAVendorsKeyGoesToThatVendorOnly(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	asked, reached := 0, map[string]bool{}
	for _, v := range append(slices.Clone(vendors), vendor{name: "acme", keys: []string{"ACME_API_KEY"}}) {
		if v.name == Compatible {
			continue
		}
		all := addresses(v)
		for i, base := range slices.Sorted(maps.Keys(all)) {
			own := all[base]
			for j, way := range slices.Sorted(maps.Keys(ways("", "", ""))) {
				// The models take turns: each meets every address and every way.
				name := []string{"gpt-5", "claude-haiku-4-5", "llama"}[(i+j)%3]
				choose := ways(v.name, name, base)[way]
				keys := vendorKeys()
				c, host := choose(keys)
				env := func(name string) string { return keys[name] }
				if len(base)%2 == 0 { // The same variables, set by the host.
					set := keys
					host.Variable = func(name string) (model.Secret, string) { return model.NewSecret(set[name]), ".env" }
					env = func(name string) string {
						if strings.HasPrefix(name, "LCM_") {
							return set[name]
						}
						return ""
					}
				}
				r, err := Resolve(c, env, host)
				if err != nil || r.Ready() != nil {
					if message := fmt.Sprint(err, r.Ready()); strings.Contains(message, "key-of-") {
						t.Errorf("%s, %s, %s: it says %s", v.name, base, way, message)
					}
					continue
				}
				net := &recorder{}
				if err := askOver(t, r, net); err != nil {
					t.Fatalf("%s, %s, %s: %v", v.name, base, way, err)
				}
				asked++
				carried := net.carried()
				by, _ := vendorOf(r.Provider)
				entry := way == "the host's entry" && v.name == "acme" || way == "the host's entry without an address"
				switch keyed := strings.Contains(carried, "key-of-"); {
				case keyed && !by.owns(net.sent[0].URL.String()) && !entry, keyed && !own && !entry:
					t.Errorf("%s, %s, %s: sent %s", v.name, base, way, carried)
				case keyed:
					reached[r.Provider] = true
					if n := strings.Count(carried, "key-of-"); n != 1 || !slices.ContainsFunc(by.keys, func(name string) bool { return strings.Contains(carried, "key-of-"+name) }) && !strings.Contains(carried, "key-of-the-entry") {
						t.Errorf("%s, %s, %s: sent %d keys: %s", v.name, base, way, n, carried)
					}
				}
			}
		}
	}
	for _, v := range vendors {
		if len(v.keys) > 0 && !reached[v.name] {
			t.Errorf("the key of %s reached nobody", v.name)
		}
	}
	t.Logf("%d calls", asked)
}

// TestAKeyThatWasGivenForAnAddressGoesThere: by --key-env, by our own variable, beside
// the address in the host's variables, or in the host's entry with that address.
func TestAKeyThatWasGivenForAnAddressGoesThere(t *testing.T) {
	t.Parallel()
	const base = "https://proxy.example/v1"
	for name, c := range map[string]struct {
		choice Choice
		env    map[string]string
		host   HostConfig
		from   string // Of the key; empty is none.
	}{
		"--key-env":             {choice: Choice{BaseURL: base, Model: "m", KeyEnv: "PROXY_KEY"}, env: map[string]string{"PROXY_KEY": "k"}, from: "environment PROXY_KEY"},
		"--key-env and no more": {choice: Choice{Provider: "openai", KeyEnv: "PROXY_KEY"}, env: map[string]string{"PROXY_KEY": "k", "OPENAI_API_KEY": "o"}, from: "environment PROXY_KEY"},
		"a vendor's, by name":   {choice: Choice{BaseURL: base, Model: "m", KeyEnv: "ANTHROPIC_API_KEY"}, env: map[string]string{"ANTHROPIC_API_KEY": "sk-ant-x"}, from: "environment ANTHROPIC_API_KEY"},
		"our variable":          {choice: Choice{BaseURL: base, Model: "m"}, env: map[string]string{"LCM_TUI_SUMMARY_API_KEY": "k"}, from: "environment LCM_TUI_SUMMARY_API_KEY"},
		"our variable beside its address": {
			choice: Choice{Model: "m"}, env: map[string]string{"LCM_TUI_SUMMARY_API_KEY": "k", "LCM_TUI_SUMMARY_BASE_URL": base}, from: "environment LCM_TUI_SUMMARY_API_KEY",
		},
		"the host's variable beside its address": {
			choice: Choice{Model: "m"}, env: map[string]string{"LCM_SUMMARY_API_KEY": "k", "LCM_SUMMARY_BASE_URL": base}, from: "environment LCM_SUMMARY_API_KEY",
		},
		"the host's variable beside another": {
			choice: Choice{BaseURL: base, Model: "m"}, env: map[string]string{"LCM_SUMMARY_API_KEY": "k", "LCM_SUMMARY_BASE_URL": "https://other.example/v1"},
		},
		"the host's variable alone":     {choice: Choice{BaseURL: base, Model: "m"}, env: map[string]string{"LCM_SUMMARY_API_KEY": "k"}},
		"the host's variable, at home":  {choice: Choice{Provider: "openai"}, env: map[string]string{"LCM_SUMMARY_API_KEY": "k"}, from: "environment LCM_SUMMARY_API_KEY"},
		"the host's entry":              {choice: Choice{BaseURL: base, Model: "m"}, host: entry("acme", base), from: "openclaw.json models.providers.acme.apiKey"},
		"the host's entry with a slash": {choice: Choice{BaseURL: base + "/", Model: "m"}, host: entry("acme", base), from: "openclaw.json models.providers.acme.apiKey"},
		"another entry":                 {choice: Choice{BaseURL: base, Model: "m"}, host: entry("acme", "https://proxy.example.evil.test/v1")},
		"another path":                  {choice: Choice{BaseURL: "https://proxy.example/other", Model: "m"}, host: entry("acme", base)},
		"another port":                  {choice: Choice{BaseURL: "https://proxy.example:444/v1", Model: "m"}, host: entry("acme", base)},
	} {
		r, err := Resolve(c.choice, func(name string) string { return c.env[name] }, c.host)
		if err != nil || r.KeyFrom != c.from || r.Key.Set() != (c.from != "") {
			t.Errorf("%s: the key is from %q, want %q (%v)", name, r.KeyFrom, c.from, err)
		}
		if r.Ready() != nil {
			t.Errorf("%s: %v", name, r.Ready())
		}
	}
}

func entry(name, base string) HostConfig {
	return HostConfig{Endpoints: map[string]Endpoint{name: {BaseURL: base, Key: model.NewSecret("k")}}}
}

// TestARedirectCarriesNothing: whatever the status and wherever it leads, also at the
// vendor's own address, nothing is sent a second time.
func TestARedirectCarriesNothing(t *testing.T) {
	t.Parallel()
	for _, v := range vendors {
		if len(v.keys) == 0 || v.base == "" {
			continue
		}
		for _, status := range []int{301, 302, 303, 307, 308} {
			for _, to := range []string{"https://evil.test/v1", v.base + "/elsewhere", "http://127.0.0.1:1/", "//evil.test"} {
				r, err := Resolve(Choice{Provider: v.name, Model: "m"}, func(name string) string { return map[string]string{v.keys[0]: "key-of-the-vendor"}[name] }, HostConfig{})
				if err != nil || !r.Key.Set() {
					t.Fatal(v.name, err)
				}
				net := &recorder{status: status, to: to}
				err = askOver(t, r, net)
				var e *model.Error
				if !errors.As(err, &e) || e.Status != status || len(net.sent) != 1 || strings.Contains(err.Error()+e.Hint(), "key-of-") {
					t.Errorf("%s, %d to %s: %d requests, %v", v.name, status, to, len(net.sent), err)
				}
			}
		}
	}
}
