package choose

import (
	"net"
	"net/url"
	"strings"

	"lcm-tui/engine/model"
)

// checkAddress refuses an address or a key that isn't the provider's.
func (s *search) checkAddress() error {
	r := s.r
	if r.BaseURL == "" {
		return s.missingAddress()
	}
	u, err := url.Parse(r.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		s.r.BaseURL = shownBroken(r.BaseURL)
		return setup("the base URL is not an http or https address", "for example https://api.openai.com/v1")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		s.r.BaseURL = u.String() // It is shown to the user.
		return setup("the base URL holds a name, a password, a query or a fragment", "give the key with --key-env NAME, or as LCM_TUI_SUMMARY_API_KEY")
	}
	if owner := ownerOfHost(r.BaseURL); owner != "" && owner != r.Provider {
		return setup(u.Host+" belongs to "+owner+", but the provider is "+r.Provider+"; no key is sent there", "use --provider "+owner+", or another base URL")
	}
	if !r.Key.Set() {
		return nil
	}
	if err := s.checkKeyOwner(); err != nil {
		return err
	}
	if u.Scheme == "http" && !isLocalNetwork(u.Hostname()) {
		return setup("the key would go unencrypted to "+u.Host, "use an https address")
	}
	return nil
}

// shownBroken returns an address that can't be read as it may be shown: empty where there may be a password in it.
func shownBroken(address string) string {
	if strings.ContainsAny(address, "@?#") {
		return ""
	}
	return address
}

// missingAddress returns the error that no address is known for the provider.
func (s *search) missingAddress() error {
	if s.r.Provider == copilot {
		return setup("GitHub Copilot has no keys for other programs, so the provider "+copilot+" ("+s.r.From+") can't be called directly",
			"choose another one for summaries with --provider or LCM_TUI_SUMMARY_PROVIDER, such as anthropic, openai, claude, codex or extractive;\n"+
				"for a proxy that offers chat completions use --provider "+copilot+" --base-url URL --model NAME, and --key-env NAME for its key")
	}
	return setup("no address is known for the provider "+s.r.Provider+" ("+s.r.From+")",
		"give --base-url URL, or models.providers."+s.r.Provider+".baseUrl in openclaw.json, or use --provider extractive")
}

// checkKeyOwner refuses a key that belongs to another vendor. An unknown server may get any key,
// and so may one for which the user named the key.
func (s *search) checkKeyOwner() error {
	owner := ownerOfKey(s.r.Key)
	_, known := vendorOf(s.r.Provider)
	switch {
	case owner == "" || !known, s.layers[0].key.Set() && ownerOfHost(s.r.BaseURL) == "":
		return nil
	case owner != s.r.Provider:
		return setup("the key from "+s.r.KeyFrom+" looks like one of "+owner+"; it is not sent to "+s.r.Provider, "set "+s.r.KeyNames[len(s.r.KeyNames)-1]+" to a key of "+s.r.Provider)
	case isClaudeLogin(s.r.Key):
		return setup("the key from "+s.r.KeyFrom+" is a login of Claude Code, not a key of the API", "use --provider claude, or set ANTHROPIC_API_KEY")
	}
	return nil
}

// isLocalNetwork reports whether a host is this machine or one in its own network.
func isLocalNetwork(host string) bool {
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

// Ready returns nil if the model can be called; otherwise it says what is missing.
func (r Resolved) Ready() error {
	switch {
	case r.Provider == model.Extractive:
		return nil
	case r.Provider == model.Exec && len(r.argv) == 0:
		return setup("the provider exec needs a command", "give --exec 'CMD ARG…'")
	case model.IsLocal(r.Provider) && r.program == "":
		return setup("the program "+r.argv[0]+" is not found", "install it, or check PATH")
	case model.IsLocal(r.Provider):
		return nil
	case r.Model == "":
		return setup("the provider "+r.Provider+" needs a model", "give --model NAME")
	case !r.Key.Set() && !r.keyless:
		if r.Withheld != "" {
			return &model.Error{
				Kind: model.KindAuth, Provider: r.Provider,
				Message: r.withSignInProblems("no key for " + r.Provider + " at " + r.BaseURL + "; " + r.withheld()),
				Next:    "check the base URL; a key for this address is given with --key-env NAME or as LCM_TUI_SUMMARY_API_KEY",
			}
		}
		return &model.Error{
			Kind: model.KindAuth, Provider: r.Provider,
			Message: r.withSignInProblems("no key for " + r.Provider + "; looked for " + strings.Join(r.KeyNames, ", ")),
			Next:    "set one of them, or use --provider extractive, which needs none",
		}
	}
	return nil
}

// withheld says which key isn't sent, and to which address it belongs.
func (r Resolved) withheld() string {
	where := "the address that it was given for"
	if v, _ := vendorOf(r.Provider); len(v.ownHosts()) > 0 {
		where = "https://" + strings.Join(v.ownHosts(), ", https://")
	}
	return "the key from " + r.Withheld + " goes to " + where + " only"
}
