package settings

import (
	"fmt"
	"slices"

	"lcm-tui/data/openclaw"
	"lcm-tui/internal/hint"
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
}

// Settings are all settings in force, and the values that could not be read.
type Settings struct {
	All      []Setting
	Problems []error // Values that can't be read; each wraps what was expected.

	host      openclaw.Config
	overrides []override
	own       SessionFilter
}

// The source of a value that nobody set, and of one on the command line.
const (
	FromDefault = "default"
	FromFlag    = "flag"
)

// plugin is the place of the settings in the host's configuration.
const plugin = "openclaw.json plugins.entries.lossless-claw.config."

// Load finds every setting: flags by the setting's name where they aren't empty,
// then the environment,
// then the host's configuration, then the default. A value that can't be read is
// a problem, and the next source is asked.
func Load(env openclaw.Getenv, host openclaw.Config, flags map[string]string) Settings {
	s := Settings{host: host}
	presets := defaults()
	for _, r := range slices.Concat(rows, sessionRows) {
		s.All = append(s.All, s.load(r, r.sources(env, host, flags), presets))
	}
	s.overrides, _ = parseOverrides(value[[]any](s, "contextThresholdOverrides")) // What is wrong with it is a problem already.
	return s
}

// candidate is the value of a setting in one source, not parsed yet.
type candidate struct {
	source string
	value  any
}

// sources returns the values of a setting in all sources, the strongest first.
func (r row) sources(env openclaw.Getenv, host openclaw.Config, flags map[string]string) (all []candidate) {
	if v := flags[r.name]; v != "" {
		all = append(all, candidate{FromFlag, v})
	}
	for _, name := range r.env {
		if v := env(name); v != "" {
			all = append(all, candidate{"environment " + name, v})
		}
	}
	for _, name := range append([]string{r.name}, r.also...) {
		if v, ok := host.Plugin[name]; ok && v != nil {
			all = append(all, candidate{plugin + name, v})
		}
	}
	return all
}

func (s *Settings) load(r row, sources []candidate, presets map[string]any) Setting {
	out := Setting{Name: r.name, Default: r.defaultValue(presets), Source: FromDefault, About: r.about}
	out.Value = out.Default
	for _, g := range sources {
		v, err := r.parse(g.value)
		if err != nil {
			next := "it was passed over; lcm-tui config shows what is in force instead"
			if v != nil { // The host would take the value for another one.
				next = fmt.Sprintf("the host takes it for %v, and so does lcm-tui", v)
			}
			s.Problems = append(s.Problems, &hint.Error{Text: fmt.Sprintf("read setting %s from %s: %v", r.name, g.source, err), Next: next, Err: err})
		}
		if v == nil {
			continue
		}
		out.Value, out.Source = v, g.source
		break
	}
	return out
}

// defaultValue returns the default: the row's own, or that of compact, where zero and empty
// are not set.
func (r row) defaultValue(presets map[string]any) any {
	v, ok := presets[r.name]
	if r.preset != nil || !ok {
		return r.preset
	}
	if v, err := r.parse(v); err == nil && v != int64(0) && v != "" {
		return v
	}
	return nil
}
