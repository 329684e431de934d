package install

import "slices"

// Status is what a client has of this program.
type Status struct {
	Client Client
	Hooks  string // One of the words below.
	Trust  string // TrustGiven or TrustMissing; empty without hooks in a file.
	MCP    bool   // The server has an entry.
}

// What a client may have of hooks.
const (
	HooksInstalled  = "installed"
	HooksIncomplete = "incomplete" // An event lacks its hook, or all are turned off.
	HooksPlugin     = "plugin"
	HooksInvalid    = "invalid" // Their file is not valid.
	HooksNone       = "none"
)

// Whether a client runs the hooks that it has.
const (
	TrustGiven   = "trusted"
	TrustMissing = "untrusted"
)

// Statuses returns what each client with hooks has, in the user's files or in those of the project. It starts nothing.
func (i *Inspection) Statuses() (list []Status) {
	for _, c := range clients {
		if hookTables[c.Name] == nil {
			continue
		}
		s := Status{Client: c, Hooks: HooksNone}
		if c.plugin(i.Environment) != "" {
			s.Hooks, s.MCP = HooksPlugin, true
		}
		for _, scope := range []Scope{ScopeUser, ScopeProject} {
			p := &place{Inspection: i, client: c, scope: scope}
			p.read()
			isInvalid := len(p.found) > 0
			p.checkHooks()
			if len(p.ours) > 0 {
				p.checkTrust()
			}
			s.MCP = s.MCP || p.server != nil && p.server.isOurs && !p.server.isOff
			s.note(p, isInvalid)
		}
		list = append(list, s)
	}
	return list
}

// note takes over what is known of one scope. What works in one isn't changed by the other.
func (s *Status) note(p *place, isInvalid bool) {
	has := func(ids ...string) bool {
		return slices.ContainsFunc(p.found, func(f Finding) bool { return slices.Contains(ids, f.ID) })
	}
	state := HooksNone
	switch {
	case isInvalid || has("I05"):
		state = HooksInvalid
	case has("I06"):
		state = HooksIncomplete
	case len(p.ours) > 0:
		state = HooksInstalled
	}
	if state == HooksNone || s.Hooks == HooksInstalled || s.Hooks == HooksPlugin {
		return
	}
	s.Hooks, s.Trust = state, ""
	if len(p.ours) > 0 {
		if s.Trust = TrustGiven; has("I08", "I09") {
			s.Trust = TrustMissing
		}
	}
}
