package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
)

// Setting is one setting in force.
type Setting struct {
	Name string `json:"name"`
	// Value is an int64, float64, bool, string, []string or, for rules that are
	// only shown, []any; nil is not set.
	Value   any `json:"value"`
	Default any `json:"default"`
	// Source is "default", "flag", "environment NAME", or a place in openclaw.json.
	Source string `json:"source"`
	About  string `json:"meaning"`
	Facts
}

// Facts are what the versions of the host say of a key.
type Facts struct {
	Minimum  *float64 `json:"minimum,omitempty"`
	Maximum  *float64 `json:"maximum,omitempty"`
	Since    string   `json:"since,omitempty"` // The first version that has it.
	Gone     string   `json:"gone,omitempty"`  // The first version that has it no more.
	Earlier  *Earlier `json:"earlier_default,omitempty"`
	HostOnly bool     `json:"host_only,omitempty"` // This program doesn't go by it.
}

// Settings are all settings in force, and the values that could not be read.
type Settings struct {
	All []Setting
	// Others are those that only the host goes by, and the second names of others.
	Others   []Setting
	Problems []error // Values of All that can't be read, or that are empty.
	// Found is every problem: those of values, and what Check adds.
	Found []*Problem

	host      openclaw.Config
	overrides []override
	own       SessionFilter
	flags     map[string]string
}

// The source of a value that nobody set, and of one on the command line.
const (
	FromDefault = "default"
	FromFlag    = "flag"
)

// plugin is the place of the settings in the host's configuration.
const (
	pluginPlace = "openclaw.json plugins.entries.lossless-claw.config"
	plugin      = pluginPlace + "."
)

// Request is where settings are looked for.
type Request struct {
	Env openclaw.Getenv
	// Environ are all variables as NAME=value: only so is it known which are set to nothing, and which have names that
	// nothing reads. Nil is not known.
	Environ []string
	Host    openclaw.Config
	Flags   map[string]string // By the setting's name.
	// Kind is what wrote the file; its zero value is not known. Hosts of before a version have other defaults.
	Kind data.Kind
	// Places are the values of settings that are found elsewhere, by name.
	Places map[string]string
}

// Load finds every setting: flags by the setting's name where they aren't empty,
// then the environment,
// then the host's configuration, then the default. A value that can't be read is
// a problem, and the next source is asked.
func Load(env openclaw.Getenv, host openclaw.Config, flags map[string]string) Settings {
	return Request{Env: env, Host: host, Flags: flags}.Load()
}

// Load finds every setting, as the function of the same name does.
func (q Request) Load() Settings {
	s := Settings{host: q.Host, flags: q.Flags}
	presets := defaults()
	for _, r := range allRows {
		one := s.load(&r, q, presets)
		switch r.use {
		case usedHere:
			s.All = append(s.All, one)
		case hostOnly, secondName:
			s.Others = append(s.Others, one)
		}
	}
	s.computeDefaults()
	for _, p := range s.Found {
		if p.used && !p.IsQuiet() && !(p.inForce && p.Kind == Range) {
			s.Problems = append(s.Problems, p)
		}
	}
	s.overrides, _ = parseOverrides(value[[]any](s, "contextThresholdOverrides")) // What is wrong with it is a problem already.
	return s.ForKind(q.Kind)
}

// isEmpty reports whether a variable is set to the empty text.
func (q Request) isEmpty(name string) bool { return slices.Contains(q.Environ, name+"=") }

// candidate is the value of a setting in one source, not parsed yet.
type candidate struct {
	source, place, name string
	value               any
	isVariable          bool
}

// sources returns the values of a setting in all sources, the strongest first.
func (r *row) sources(q Request) (all []candidate) {
	if v := q.Flags[r.name]; v != "" && r.name != "" {
		all = append(all, candidate{source: FromFlag, place: FromFlag, name: r.name, value: v})
	}
	for _, name := range r.env {
		if v := q.Env(name); v != "" || r.takesEmpty() && q.isEmpty(name) {
			all = append(all, candidate{"environment " + name, "environment", name, v, true})
		} else if v, where := q.Host.Variable(name); v != "" {
			all = append(all, candidate{where + ": " + name, where, name, v, true})
		}
	}
	for _, name := range append([]string{r.name}, r.also...) {
		if v, ok := configured(q.Host.Plugin, name); ok {
			all = append(all, candidate{plugin + name, pluginPlace, name, v, false})
		}
	}
	return all
}

// configured returns what the configuration has under a name, in which a point stands before a key of an object.
func configured(from map[string]any, name string) (v any, ok bool) {
	if parent, inner, is := strings.Cut(name, "."); is {
		from, _ = from[parent].(map[string]any)
		name = inner
	}
	v, ok = from[name]
	return v, ok && v != nil
}

// takesEmpty reports whether a variable that is set to the empty text is in force as such: texts are, and for switches it
// is another word than true or false. A path is passed over, because nothing lies there.
func (r *row) takesEmpty() bool {
	switch r.kind {
	case text:
		return r.name != "dbPath" && r.name != "databasePath" && r.name != "largeFilesDir"
	case zone, boolean, unlessFalse:
		return true
	}
	return false
}

func (s *Settings) load(r *row, q Request, presets map[string]any) Setting {
	out := Setting{Name: r.label(), Default: r.defaultValue(presets), Source: FromDefault, About: r.about, Facts: r.facts()}
	out.Value = out.Default
	if at, ok := q.Places[r.name]; ok {
		out.Value = at
	}
	if r.shownPreset != nil {
		out.Default = r.shownPreset
	}
	var problems []*Problem
	note := func(p *Problem) {
		p.used = r.use != hostOnly
		problems = append(problems, p)
	}
	for _, g := range r.sources(q) {
		if out.Source != FromDefault {
			if p := r.shadowed(g, out.Source, out.Value); p != nil {
				note(p)
			}
			continue
		}
		v, err := r.read(g)
		if v != nil {
			out.Value, out.Source = v, g.source
		}
		if err != nil {
			note(r.problem(g, v, err))
		}
	}
	for _, name := range r.env {
		if !r.takesEmpty() && r.kind == text && q.isEmpty(name) {
			note(&Problem{
				Place: "environment", Name: name, Value: "", Kind: Empty, Text: name + " is set to nothing: the host takes that for the path",
				Next: "unset it; lcm-tui passes over it",
			})
		}
	}
	if out.Source != FromDefault && r.isSecret(out.Value) {
		out.Value = "set"
	}
	for _, p := range problems {
		if r.isSecret(p.Value) {
			p.Value = nil
		}
		p.noteInForce(out)
		// A key that stands in for another one, and the variable of both, have one problem.
		if !slices.ContainsFunc(s.Found, func(f *Problem) bool { return f.Place == p.Place && f.Name == p.Name && f.Kind == p.Kind }) {
			s.Found = append(s.Found, p)
		}
	}
	return out
}

// isSecret reports whether a value of the setting may have a password in it: the address of a database, and of a server one with
// more than a place.
func (r *row) isSecret(value any) bool {
	address, _ := value.(string)
	return r.name == "" && strings.HasSuffix(r.env[0], "_URL") && (r.use == hostOnly || strings.ContainsAny(address, "@?#"))
}

// noteInForce notes what is in force instead, and says so.
func (p *Problem) noteInForce(s Setting) {
	p.InForce = s.Value
	if p.Next == "" {
		value := "nothing is in force"
		if s.Value != nil && s.Value != "" {
			value = quoteValue(s.Value) + " is in force"
		}
		p.Next = fmt.Sprintf("it was passed over; %s, from %s", value, s.Source)
		if p.StopsHost() {
			p.Next = fmt.Sprintf("the host stops on it; lcm-tui passes over it: %s, from %s", value, s.Source)
		}
	}
}

// problem returns what is wrong with a value; v is what it is taken for nevertheless, or nil.
func (r *row) problem(g candidate, v any, err error) *Problem {
	p := &Problem{cause: err, inForce: v != nil, Place: g.place, Name: g.name, Value: g.value, Kind: WrongType, Text: fmt.Sprintf("read setting %s from %s: %v", r.label(), g.source, err)}
	var of *valueError
	if errors.As(err, &of) {
		p.Kind = of.kind
	}
	switch {
	case v != nil && p.StopsHost():
		p.Next = fmt.Sprintf("the host stops on it; lcm-tui takes it for %s", quoteValue(v))
	case v != nil:
		p.Next = fmt.Sprintf("the host takes it for %s, and so does lcm-tui", quoteValue(v))
	}
	if given, ok := g.value.(string); ok && r.kind == word {
		p.suggest(nearestWord(given, r.words))
	}
	return p
}

// shadowed returns the problem of a value that another place comes before, or nil where it is the same or where a flag does.
func (r *row) shadowed(g candidate, by string, inForce any) *Problem {
	v, _ := r.read(g)
	if by == FromFlag || v == nil || fmt.Sprint(v) == fmt.Sprint(inForce) {
		return nil
	}
	return &Problem{
		Place: g.place, Name: g.name, Value: g.value, Kind: Shadowed, Text: fmt.Sprintf("%s is not in force: %s comes before it", g.source, by),
		Next: "delete one of them",
	}
}
