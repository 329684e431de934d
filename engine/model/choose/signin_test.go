package choose

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testlength"
)

// signedIn returns a host with sign-ins, at noon of 2026-08-30.
func signedIn(all ...SignIn) HostConfig {
	return HostConfig{
		SignIns: func() SignIns { return SignIns{All: all} },
		Now:     func() time.Time { return time.Date(2026, 8, 30, 12, 0, 0, 0, time.UTC) },
	}
}

func noVariables(string) string { return "" }

// TestASignInIsASourceOfAKey: variables come before it, the host's own providers after it. A
// token that expired isn't used, and the error says what to do.
func TestASignInIsASourceOfAKey(t *testing.T) {
	t.Parallel()
	const named = "auth profile anthropic:default of agent main"
	in := func(change func(*SignIn)) SignIn {
		s := SignIn{Provider: "anthropic", Source: named, Key: model.NewSecret("key-of-profile")}
		change(&s)
		return s
	}
	ago, later := time.Date(2026, 8, 29, 7, 30, 0, 0, time.UTC), time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	withEntry := signedIn(in(func(*SignIn) {}))
	withEntry.Endpoints = map[string]Endpoint{"anthropic": {Key: model.NewSecret("key-of-entry")}}
	locked := signedIn(in(func(s *SignIn) { s.Problem, s.Key = "it holds no key", model.Secret{} }))
	unread := locked.SignIns()
	unread.Errs = []error{errors.New("read the sign-ins of agent ops: the database is locked")}
	locked.SignIns = func() SignIns { return unread }
	for name, c := range map[string]struct {
		host HostConfig
		env  map[string]string
		from string   // Of the key; empty is none.
		says []string // The error.
	}{
		"a key":            {host: signedIn(in(func(*SignIn) {})), from: named},
		"a variable first": {host: signedIn(in(func(*SignIn) {})), env: map[string]string{"ANTHROPIC_API_KEY": "k"}, from: "environment ANTHROPIC_API_KEY"},
		"then an entry":    {host: withEntry, from: named},
		"good for long":    {host: signedIn(in(func(s *SignIn) { s.Expires, s.Login = later, true })), from: named},
		"of another":       {host: signedIn(in(func(s *SignIn) { s.Provider = "openai" })), says: []string{"no key for anthropic"}},
		"of its program":   {host: signedIn(in(func(s *SignIn) { s.Provider = "claude-cli" })), says: []string{"no key for anthropic"}},
		"expired login":    {host: signedIn(in(func(s *SignIn) { s.Expires, s.Login = ago, true })), says: []string{named + " expired at 2026-08-29 07:30 UTC", "start the host once"}},
		"expired token":    {host: signedIn(in(func(s *SignIn) { s.Expires = ago })), says: []string{named + " expired at 2026-08-29 07:30 UTC", "sign in again"}},
		"expired, then another": {
			host: signedIn(in(func(s *SignIn) { s.Expires = ago }), in(func(s *SignIn) { s.Source = "the second" })), from: "the second",
		},
		"a login of Claude": {host: signedIn(in(func(s *SignIn) { s.Key = model.NewSecret("sk-ant-oat01-key-of-profile") })), says: []string{"choose claude"}},
		"expired, of Claude": {
			host: signedIn(in(func(s *SignIn) { s.Key, s.Login, s.Expires = model.NewSecret("sk-ant-oat01-key-of-profile"), true, ago })),
			says: []string{"expired at 2026-08-29 07:30 UTC", "choose claude"},
		},
		"nothing to read": {host: locked, says: []string{named + " gives no key", "agent ops: the database is locked"}},
	} {
		r, err := Resolve(Choice{Provider: "anthropic"}, func(name string) string { return c.env[name] }, c.host)
		if err != nil || r.KeyFrom != c.from || r.Key.Set() != (c.from != "") {
			t.Errorf("%s: the key is from %q, want %q (%v)", name, r.KeyFrom, c.from, err)
		}
		ready := r.Ready()
		if (ready != nil) != (c.from == "") || ready != nil && !errors.Is(ready, summarize.ErrAuth) {
			t.Errorf("%s: %v", name, ready)
		}
		for _, words := range c.says {
			if ready == nil || !strings.Contains(ready.Error(), words) {
				t.Errorf("%s: %v doesn't say %q", name, ready, words)
			}
		}
		if text := fmt.Sprintf("%v %+v %#v", ready, r, r); strings.Contains(text, "key-of-") {
			t.Errorf("%s: it shows the key: %s", name, text)
		}
	}
}

// TestASignInGoesToItsVendorOnly: whatever the address and however it is named, the key of a
// sign-in goes to the own hosts of its vendor, and where only the host knows the provider to the
// host's address.
func TestASignInGoesToItsVendorOnly(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	reached := map[string]bool{}
	for _, v := range append(slices.Clone(vendors), vendor{name: "acme"}) {
		if v.name == Compatible {
			continue
		}
		for base, own := range addresses(v) {
			for _, asked := range append(slices.Clone(vendors), vendor{name: "acme"}) {
				host := signedIn(SignIn{Provider: v.name, Source: "the sign-in", Key: model.NewSecret("key-of-profile"), Login: len(base)%2 == 0})
				host.Endpoints = map[string]Endpoint{"acme": {BaseURL: "https://gateway.internal"}}
				r, err := Resolve(Choice{Provider: asked.name, Model: "m", BaseURL: base}, noVariables, host)
				hosts := v.name == "acme" && asked.name == "acme" && base == "https://gateway.internal"
				want := asked.name == v.name && (own || hosts)
				if got := r.Key.Set(); got != want && err == nil {
					t.Errorf("%s's sign-in, %s asked at %s: the key is there %t, want %t", v.name, asked.name, base, got, want)
				}
				if err != nil || r.Ready() != nil {
					continue
				}
				net := &recorder{}
				if err := askOver(t, r, net); err != nil {
					t.Fatal(err)
				}
				if carried := strings.Contains(net.carried(), "key-of-profile"); carried != want {
					t.Errorf("%s's sign-in, %s asked at %s: sent %t, want %t", v.name, asked.name, base, carried, want)
				}
				reached[v.name] = reached[v.name] || want
			}
		}
	}
	for _, name := range []string{"anthropic", "openai", "minimax", "acme"} {
		if !reached[name] {
			t.Errorf("the sign-in at %s reached nobody", name)
		}
	}
}
