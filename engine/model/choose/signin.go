package choose

import (
	"slices"
	"strings"
	"time"

	"lcm-tui/engine/model"
)

// SignIn is one of the host's sign-ins at a provider, as a source of a key.
type SignIn struct {
	Provider string
	// Source names it for users, such as "auth profile anthropic:default of agent main".
	Source string
	Key    model.Secret
	// Login says that it is a login of a person, which the host refreshes, and no key.
	Login bool
	// Expires is when the key ends; zero is never, or not known.
	Expires time.Time
	// Problem says why it has no key; empty where it has one.
	Problem string
}

// SignIns are the host's sign-ins, in its order of preference, and what of them can't be read; nil errors count for nothing.
type SignIns struct {
	All  []SignIn
	Errs []error
}

// signIns offers the host's sign-ins at the provider. They are for the vendor's own address; of a
// provider that only the host knows the address there is its own. The host alone refreshes them:
// of one that can't be used the reason is kept.
func (s *search) signIns(own bool) {
	if s.host.SignIns == nil || s.r.Key.Set() {
		return
	}
	found := s.host.SignIns()
	for _, in := range found.All {
		if canonicalVendor(in.Provider) != s.r.Provider {
			continue
		}
		if why := s.unusable(in); why != "" {
			s.r.SignInProblems = append(s.r.SignInProblems, in.Source+" "+why)
			continue
		}
		if in.Login && own && !s.r.Key.Set() {
			s.r.bearer = true
		}
		s.offer(in.Key, in.Source, own)
	}
	for _, err := range found.Errs {
		if err != nil {
			s.r.SignInProblems = append(s.r.SignInProblems, err.Error())
		}
	}
	if s.r.Key.Set() {
		s.r.SignInProblems = nil // They hinder nobody.
	}
}

// unusable says why no key is taken from a sign-in, in words that follow its name; it is empty if
// one is.
func (s *search) unusable(in SignIn) string {
	expired := ""
	if !in.Expires.IsZero() && !in.Expires.After(s.now()) {
		expired = "expired at " + in.Expires.UTC().Format("2006-01-02 15:04 UTC")
		if in.Login {
			expired += ": start the host once, it refreshes it"
		} else {
			expired += ": sign in again in the host"
		}
	}
	program := ""
	switch {
	case s.r.Provider == "anthropic" && isClaudeLogin(in.Key):
		program = model.Claude
	case s.r.Provider == "openai" && in.Login && isWebToken(in.Key):
		program = model.Codex
	}
	switch {
	case in.Problem != "":
		return "gives no key: " + in.Problem
	case program != "" && expired != "":
		return expired + "; it is a login, which works in " + program + " only: choose " + program
	case program != "":
		return "is a login, which works in " + program + " only: choose " + program
	}
	return expired
}

// isClaudeLogin reports whether a key is a login of Claude Code.
func isClaudeLogin(key model.Secret) bool { return key.HasPrefix("sk-ant-oat") }

// isWebToken reports whether a key has the form of a JSON web token, as the logins of Codex have.
func isWebToken(key model.Secret) bool { return key.HasPrefix("eyJ") }

func (s *search) now() time.Time {
	if s.host.Now != nil {
		return s.host.Now()
	}
	return time.Now()
}

// canonicalVendor returns the name of a vendor by which the host's sign-ins go. Those for a program of
// a vendor are no keys of the vendor's API.
func canonicalVendor(name string) string {
	if name = canonical(name); model.IsLocal(name) {
		return ""
	}
	return name
}

// withSignInProblems adds to a message what hinders the host's sign-ins.
func (r Resolved) withSignInProblems(message string) string {
	return strings.Join(slices.Concat([]string{message}, r.SignInProblems), "; ")
}
