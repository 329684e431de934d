package model

import (
	"net"
	"net/url"
	"strings"
)

// guard refuses an address that isn't the provider's, and a key that isn't.
func (s *search) guard() error {
	r := s.r
	if r.BaseURL == "" {
		return setup("no address is known for the provider "+r.Provider, "give --base-url URL, or use --provider extractive")
	}
	u, err := url.Parse(r.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return setup("the base URL is not an http or https address", "for example https://api.openai.com/v1")
	}
	if u.User != nil || u.RawQuery != "" {
		u.User, u.RawQuery = nil, ""
		s.r.BaseURL = u.String() // It's shown.
		return setup("the base URL holds a name, a password or a query", "give the key as "+strings.Join(r.KeyNames, " or "))
	}
	if owner := ownerOfHost(r.BaseURL); owner != "" && owner != r.Provider {
		return setup(u.Host+" belongs to "+owner+", but the provider is "+r.Provider+"; no key is sent there", "use --provider "+owner+", or another base URL")
	}
	if !r.Key.Set() {
		return nil
	}
	if err := s.foreign(); err != nil {
		return err
	}
	if u.Scheme == "http" && !nearby(u.Hostname()) {
		return setup("the key would go unencrypted to "+u.Host, "use an https address")
	}
	return nil
}

// foreign says whose the key is, if not the provider's. A server that isn't known
// may take any.
func (s *search) foreign() error {
	owner := ownerOfKey(s.r.Key)
	_, known := vendorOf(s.r.Provider)
	switch {
	case owner == "" || !known:
		return nil
	case owner != s.r.Provider:
		return setup("the key from "+s.r.KeyFrom+" looks like one of "+owner+"; it is not sent to "+s.r.Provider, "set "+s.r.KeyNames[len(s.r.KeyNames)-1]+" to a key of "+s.r.Provider)
	case strings.HasPrefix(s.r.Key.reveal(), "sk-ant-oat"):
		return setup("the key from "+s.r.KeyFrom+" is a login of Claude Code and no key of the API", "use --provider claude, or set ANTHROPIC_API_KEY")
	}
	return nil
}

// nearby reports whether a host is this machine or one in its own network.
func nearby(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	if !strings.Contains(host, ".") {
		return true
	}
	for _, end := range []string{".local", ".lan", ".internal", ".home.arpa", ".localhost"} {
		if strings.HasSuffix(strings.ToLower(host), end) {
			return true
		}
	}
	return false
}

// Ready is nil if the model can be asked.
func (r Resolved) Ready() error {
	switch {
	case r.Provider == Extractive:
		return nil
	case r.Provider == Exec && len(r.argv) == 0:
		return setup("the provider exec needs a command", "give --exec 'CMD ARG…'")
	case local(r.Provider) && r.program == "":
		return setup("the program "+r.argv[0]+" is not found", "install it, or check PATH")
	case local(r.Provider):
		return nil
	case r.Model == "":
		return setup("the provider "+r.Provider+" needs a model", "give --model NAME")
	case !r.Key.Set() && !r.keyless:
		return &Error{
			Kind: KindAuth, Provider: r.Provider,
			Message: "no key for " + r.Provider + "; looked for " + strings.Join(r.KeyNames, ", "),
			hint:    "set one of them, or use --provider extractive, which needs none",
		}
	}
	return nil
}

// endpoint is the address of a call: the base URL may be a host alone, or hold
// the path of a call already.
func endpoint(base, path string) string {
	base = strings.TrimRight(base, "/")
	for _, end := range []string{"/chat/completions", "/responses", "/messages"} {
		base = strings.TrimSuffix(base, end)
	}
	if u, err := url.Parse(base); err == nil && u.Path == "" {
		base += "/v1"
	}
	return base + path
}
