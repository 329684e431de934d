package choose

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/internal/lazyregexp"
)

// givenKey returns the key that was given for this run: itself, or by the variable that holds
// it. The name of the variable isn't repeated where it may be a key, typed by mistake.
func (c Choice) givenKey(env Getenv, host HostConfig) (model.Secret, error) {
	if c.KeyEnv == "" {
		return c.Key, nil
	}
	if key := model.NewSecret(env(c.KeyEnv)); key.Set() {
		return key, nil
	}
	if host.Variable != nil {
		if key, _ := host.Variable(c.KeyEnv); key.Set() {
			return key, nil
		}
	}
	name := "the variable that --key-env names"
	if plainName.MatchString(c.KeyEnv) {
		name = c.KeyEnv
	}
	return model.Secret{}, &model.Error{
		Kind: model.KindSetup, Message: name + " is not set",
		Next: "--key-env takes the name of an environment variable, such as MY_PROXY_KEY, and not the key itself",
	}
}

var plainName = lazyregexp.New(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$`)

// key looks for the key that may go to the address in force. One that was given for
// this run or for this address may; one from a vendor's own variable goes to that
// vendor's own hosts only; any other is withheld.
func (s *search) key(v vendor) {
	s.r.KeyNames = slices.Concat([]string{"LCM_TUI_SUMMARY_API_KEY", "LCM_SUMMARY_API_KEY"}, v.keys)
	own := v.owns(s.r.BaseURL)
	for i, l := range s.layers {
		if s.concerns(l) {
			s.offer(l.key, l.place(saysKey), own || i < ours || l.base != "" && l.base == s.r.BaseURL)
		}
	}
	_, known := vendorOf(v.name)
	// Of a provider that only the host's configuration knows the address there is its own.
	hosts := s.host.Endpoints[s.r.Provider]
	own = own || !known && sameAddress(s.r.BaseURL, hosts.BaseURL)
	for _, name := range v.keys {
		s.offer(model.NewSecret(s.env(name)), "environment "+name, own)
	}
	for _, name := range v.keys {
		if s.host.Variable != nil {
			key, where := s.host.Variable(name)
			s.offer(key, where+": "+name, own)
		}
	}
	s.signIns(own)
	s.entries(v)
}

// offer takes a key that is found, if there is none yet and it may go to the address.
func (s *search) offer(key model.Secret, from string, allowed bool) {
	switch {
	case !key.Set() || s.r.Key.Set():
	case allowed:
		s.r.Key, s.r.KeyFrom, s.r.Withheld = key, from, ""
	case s.r.Withheld == "":
		s.r.Withheld = from
	}
}

// entries offers the keys of the host's own providers: each is for the address of its
// entry, or where that has none for the vendor's own.
func (s *search) entries(v vendor) {
	entry := func(name string) (Endpoint, string) {
		return s.host.Endpoints[name], "openclaw.json models.providers." + name + ".apiKey"
	}
	e, from := entry(s.r.Provider)
	s.offer(e.Key, from, e.BaseURL != "" && sameOrigin(s.r.BaseURL, e.BaseURL) || e.BaseURL == "" && v.owns(s.r.BaseURL))
	for _, name := range slices.Sorted(maps.Keys(s.host.Endpoints)) {
		if e, from := entry(name); e.BaseURL != "" && sameAddress(s.r.BaseURL, e.BaseURL) {
			s.offer(e.Key, from, true)
		}
	}
}

// sameOrigin reports whether two addresses are one server's: scheme, host and port.
func sameOrigin(a, b string) bool {
	u, uerr := url.Parse(a)
	w, werr := url.Parse(b)
	return uerr == nil && werr == nil && u.Host != "" && strings.EqualFold(u.Host, w.Host) && u.Scheme == w.Scheme
}

// sameAddress reports whether two base URLs are the same but for a slash at the end.
func sameAddress(a, b string) bool {
	u, uerr := url.Parse(a)
	w, werr := url.Parse(b)
	return sameOrigin(a, b) && uerr == nil && werr == nil && strings.TrimRight(u.Path, "/") == strings.TrimRight(w.Path, "/")
}
