package openclaw

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/internal/regularfile"
	"lcm-tui/internal/sorting"
)

// SignIn is one of the host's auth profiles: a key or a login of one agent at one provider.
type SignIn struct {
	// Profile is its name in the host, such as anthropic:default; Agent the agent that has it.
	Profile, Agent string
	// Provider is lower case, as the host names it.
	Provider string
	Type     SignInType
	// Expires is when the host has to get a new one; zero is never, or not known.
	Expires time.Time
	// Problem says why there is no key in it; empty where there is one.
	Problem string

	key func() string
}

// SignInType is the kind of a sign-in.
type SignInType string

// The types, in the host's words.
const (
	SignInKey   SignInType = "api_key" // A key of the provider's API.
	SignInToken SignInType = "token"   // A token that the host doesn't refresh.
	SignInOAuth SignInType = "oauth"   // A login. The host gets its next token.
)

// Key returns the key or the token, or empty.
func (s SignIn) Key() string {
	if s.key == nil {
		return ""
	}
	return s.key()
}

// Source names the sign-in for users, without its key.
func (s SignIn) Source() string { return "auth profile " + s.Profile + " of agent " + s.Agent }

// The files in an agent's folder that held sign-ins before the host kept them in its database.
const (
	signInFile      = "auth-profiles.json"
	signInStateFile = "auth-state.json"
)

// SignInPath returns the file of an agent's sign-ins.
func (a Agent) SignInPath() string { return filepath.Join(a.Folder, signInFile) }

// ReadSignIns reads an agent's sign-ins from auth-profiles.json. A missing file has none.
func (h Config) ReadSignIns(a Agent) ([]SignIn, error) {
	store, err := regularfile.Read(a.SignInPath(), maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the sign-ins of agent %s: %w", a.ID, err)
	}
	state, err := regularfile.Read(filepath.Join(a.Folder, signInStateFile), maxFile)
	if err != nil {
		state = nil // The order is of less use than the keys.
	}
	out, err := h.ParseSignIns(a.ID, store, state)
	if err != nil {
		return out, fmt.Errorf("read %s: %w", a.SignInPath(), err)
	}
	return out, nil
}

// signInOrder is what the host keeps beside its sign-ins. Older hosts keep it in the same
// document.
type signInOrder struct {
	Order    map[string][]string `json:"order"`
	LastGood map[string]string   `json:"lastGood"`
}

// ParseSignIns parses the document of an agent's sign-ins, and the one of their order, which may
// be empty. The first of a provider is the one that the host prefers; those that the host's
// order for a provider leaves out are left out. A profile that can't be understood is passed over.
func (h Config) ParseSignIns(agent string, store, state []byte) ([]SignIn, error) {
	var doc struct {
		Profiles map[string]json.RawMessage `json:"profiles"`
	}
	if err := json.Unmarshal(store, &doc); err != nil {
		return nil, errNotSignIns
	}
	var order, stateOrder signInOrder
	_ = json.Unmarshal(store, &order) // Of a wrong type it is no order.
	_ = json.Unmarshal(state, &stateOrder)
	prefer := preference{explicit: []map[string][]string{stateOrder.Order, order.Order, h.signInOrder}, last: []map[string]string{stateOrder.LastGood, order.LastGood}}
	var out []SignIn
	for name, raw := range doc.Profiles {
		if s, ok := h.parseSignIn(raw); ok {
			s.Profile, s.Agent = name, agent
			if prefer.rank(&s) != leftOut {
				out = append(out, s)
			}
		}
	}
	sorting.Stable(out, func(a, b *SignIn) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(prefer.rank(a), prefer.rank(b)),
			cmp.Compare(a.Type, b.Type), cmp.Compare(a.Profile, b.Profile))
	})
	return out, nil
}

// errNotSignIns doesn't quote the document, which holds keys.
var errNotSignIns = errors.New("it is not a document of sign-ins")

// parseSignIn parses one profile. Older hosts wrote mode for type and apiKey for key.
func (h Config) parseSignIn(raw json.RawMessage) (s SignIn, ok bool) {
	var p map[string]any
	if json.Unmarshal(raw, &p) != nil {
		return s, false
	}
	text := func(names ...string) string {
		for _, name := range names {
			if v, _ := p[name].(string); strings.TrimSpace(v) != "" {
				return strings.ToLower(strings.TrimSpace(v))
			}
		}
		return ""
	}
	s.Provider, s.Type = text("provider"), SignInType(text("type", "mode"))
	fields := map[SignInType][]string{SignInKey: {"keyRef", "key", "apiKey"}, SignInToken: {"tokenRef", "token"}, SignInOAuth: {"access"}}[s.Type]
	if s.Provider == "" || fields == nil {
		return s, false
	}
	key := ""
	for _, name := range fields {
		if key == "" {
			key = strings.TrimSpace(keyOf(p[name], h.lookup))
		}
		if p[name] != nil && p[name] != "" && key == "" {
			s.Problem = "its key stands elsewhere: in a variable that is not set, or where only the host reads it"
		}
	}
	switch {
	case key != "":
		s.key, s.Problem = func() string { return key }, ""
	case s.Problem == "":
		s.Problem = "it holds no key"
	}
	if ms, _ := p["expires"].(float64); ms > 0 && ms < math.MaxInt64/2 {
		s.Expires = time.UnixMilli(int64(ms))
	}
	return s, true
}

// configuredOrder returns auth.order of the configuration.
func configuredOrder(doc document) map[string][]string {
	auth, _ := doc.Auth.(map[string]any)
	order, _ := auth["order"].(map[string]any)
	out := map[string][]string{}
	for provider, v := range order {
		names, _ := v.([]any)
		for _, name := range names {
			if name, ok := name.(string); ok {
				out[provider] = append(out[provider], name)
			}
		}
	}
	return out
}

// preference is in which order the host takes the sign-ins of a provider.
type preference struct {
	explicit []map[string][]string
	last     []map[string]string
}

const leftOut = -1

// rank returns the place of a sign-in among those of its provider, or leftOut. The first order that
// names the provider counts; without any, the one that worked last comes first.
func (p preference) rank(s *SignIn) int {
	for _, order := range p.explicit {
		for provider, names := range order {
			if strings.EqualFold(strings.TrimSpace(provider), s.Provider) && len(names) > 0 {
				return slices.Index(names, s.Profile)
			}
		}
	}
	for _, last := range p.last {
		for provider, name := range last {
			if strings.EqualFold(provider, s.Provider) && name == s.Profile {
				return 0
			}
		}
	}
	return 1
}
