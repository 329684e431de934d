package choose

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/extractive"
	"lcm-tui/engine/model/programs"
	"lcm-tui/engine/model/wire"
)

// Resolved is the provider and the model that were chosen, and why.
type Resolved struct {
	Provider, Model string
	API             wire.API
	BaseURL         string
	Key             model.Secret
	// KeyFrom is where the key was found; KeyNames are the variables that were
	// looked for. Withheld is where a key was found that isn't sent, because it was
	// not given for this address.
	KeyFrom  string
	KeyNames []string
	Withheld string
	// SignInProblems say why the host's sign-ins at the provider gave no key.
	SignInProblems []string
	// From is what named the provider; ModelFrom, APIFrom and BaseFrom what named the
	// others: "flag", "environment NAME", "openclaw.json …", or "default".
	From, ModelFrom, APIFrom, BaseFrom string

	keyless bool
	bearer  bool
	argv    []string
	program string // Its path, or empty where it isn't found.
}

// Name returns "provider/model", as it goes into the model column.
func (r Resolved) Name() string {
	name := r.Model
	switch {
	case r.Provider == model.Extractive:
		return extractive.Summarizer{}.Name()
	case r.Provider == model.Exec && len(r.argv) > 0:
		name = filepath.Base(r.argv[0])
	case name == "":
		name = "default"
	}
	return r.Provider + "/" + name
}

// search is a choice in the making.
type search struct {
	layers []settingsLayer
	env    Getenv
	host   HostConfig
	r      Resolved
}

// Resolve finds the provider, model, address and key in force. Its error is that
// of choices that contradict each other; Ready says whether it can be asked.
func Resolve(c Choice, env Getenv, host HostConfig) (Resolved, error) {
	if p := canonical(c.Provider); c.Exec != "" && p != "" && p != model.Exec {
		return Resolved{Provider: p}, setup("a command is given, but the provider is "+p, "use --provider exec, or leave out --exec")
	}
	given, err := c.givenKey(env, host)
	if err != nil {
		return Resolved{}, err
	}
	c.Key = given
	s := search{layers: settingsLayers(c, env, host), env: env, host: host}
	s.provider()
	if c.Key.Set() && model.IsLocal(s.r.Provider) {
		return s.r, setup("the provider "+s.r.Provider+" takes no key", "leave out --key-env, or name a provider that is reached over HTTP")
	}
	switch s.r.Provider {
	case model.Extractive:
	case model.Claude, model.Codex:
		s.model()
		s.r.argv = []string{s.r.Provider}
		s.r.program = programs.Find(s.r.Provider, env("PATH"))
	case model.Exec:
		err = s.command()
	default:
		err = s.vendor(c)
	}
	return s.r, err
}

// provider returns what the strongest layer names; an address alone is that of a
// compatible server; nothing is the extractive summarizer.
func (s *search) provider() {
	for _, l := range s.layers {
		if p, from := l.vendor(s.host.Endpoints); p != "" {
			s.r.Provider, s.r.From = p, from
			return
		}
	}
	for _, l := range s.layers {
		if l.base != "" {
			s.r.Provider, s.r.From = Compatible, l.place(saysBase)
			return
		}
	}
	s.r.Provider, s.r.From = model.Extractive, fromDefault
}

// first returns what the strongest layer says that speaks of the provider, or of none,
// and where.
func (s *search) first(what string, of func(settingsLayer) string) (value, from string) {
	for _, l := range s.layers {
		if of(l) != "" && s.concerns(l) {
			return of(l), l.place(what)
		}
	}
	return "", fromDefault
}

func (s *search) concerns(l settingsLayer) bool {
	who, _ := l.vendor(s.host.Endpoints)
	return who == "" || who == s.r.Provider
}

const fromDefault = "default"

func (s *search) model() {
	s.r.Model, s.r.ModelFrom = s.first(saysModel, func(l settingsLayer) string { return l.model })
	s.r.Model = within(s.r.Provider, s.r.Model)
}

// within takes the provider off the front of a model's name. Those of a router
// name the vendor behind it, so there something must be left to name one.
func within(provider, model string) string {
	head, rest, ok := strings.Cut(model, "/")
	if !ok || canonical(head) != provider || provider == "openrouter" && !strings.Contains(rest, "/") {
		return model
	}
	return rest
}

func (s *search) command() (err error) {
	line, _ := s.first(saysExec, func(l settingsLayer) string { return l.exec })
	s.r.argv, err = programs.Split(line)
	if err == nil && len(s.r.argv) > 0 {
		s.r.program = programs.Find(s.r.argv[0], s.env("PATH"))
	}
	return err
}

func (s *search) vendor(c Choice) error {
	v, _ := vendorOf(s.r.Provider)
	host := s.host.Endpoints[s.r.Provider]
	s.model()
	s.r.Model = cmp.Or(s.r.Model, v.model)
	s.r.BaseURL, s.r.BaseFrom = s.first(saysBase, func(l settingsLayer) string { return l.base })
	if s.r.BaseURL == "" && host.BaseURL != "" {
		s.r.BaseURL, s.r.BaseFrom = host.BaseURL, "openclaw.json models.providers."+v.name
	}
	s.r.BaseURL = cmp.Or(s.r.BaseURL, v.base)
	s.r.bearer = v.bearer
	if err := s.api(c, v, host); err != nil {
		return err
	}
	// A server that isn't a vendor's own needn't want a key, and gets none that wasn't
	// given for it.
	s.r.keyless = v.keyless || ownerOfHost(s.r.BaseURL) == ""
	s.key(v)
	return s.checkAddress()
}

// api returns the wire format. One that the vendor hasn't is an error in a flag, and
// passed over elsewhere, where it was meant for another.
func (s *search) api(c Choice, v vendor, host Endpoint) error {
	if c.API != "" && !slices.Contains(v.apis, c.API) {
		return setup(v.name+" has no API "+string(c.API), "use "+join(v.apis))
	}
	named, from := s.first(saysAPI, func(l settingsLayer) string { return l.api })
	s.r.API, s.r.APIFrom = v.apis[0], fromDefault
	switch hosts := hostAPIs[host.API]; {
	case slices.Contains(v.apis, wire.API(named)):
		s.r.API, s.r.APIFrom = wire.API(named), from
	case slices.Contains(v.apis, hosts):
		s.r.API, s.r.APIFrom = hosts, "openclaw.json models.providers."+v.name
	}
	return nil
}

// hostAPIs are the host's names of wire formats.
var hostAPIs = map[string]wire.API{"anthropic-messages": wire.Messages, "openai-completions": wire.Chat, "openai-responses": wire.Responses}

func join(apis []wire.API) string {
	names := make([]string, len(apis))
	for i, a := range apis {
		names[i] = string(a)
	}
	return strings.Join(names, " or ")
}
