package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/internal/nearest"
)

// maxSlips is in how many letters a name differs at most from the one that is suggested for it.
const maxSlips = 2

// Check returns every problem of the host's configuration and of the environment, what is worst first: what the host stops
// on, then the rest in the order of the places. Those of s are among them.
func (q Request) Check(s Settings) []*Problem {
	all := slices.Concat(s.Found, q.unknownKeys(), q.misplacedKeys(), q.unknownVariables(), q.otherVersions())
	slices.SortStableFunc(all, func(a, b *Problem) int { return rank(a) - rank(b) })
	return all
}

func rank(p *Problem) int {
	switch {
	case p.StopsHost():
		return 0
	case p.IsQuiet():
		return 2
	}
	return 1
}

// keyNames returns the names of all keys of the configuration.
func keyNames() (names []string) {
	for _, r := range allRows {
		if r.name != "" {
			names = append(names, r.name)
		}
	}
	return names
}

// parents returns the names of the keys that have an object.
func parents() (names []string) {
	for _, n := range keyNames() {
		if parent, _, ok := strings.Cut(n, "."); ok && !slices.Contains(names, parent) {
			names = append(names, parent)
		}
	}
	return names
}

// unknownKeys returns the keys that no version has, and objects that are none.
func (q Request) unknownKeys() (out []*Problem) {
	for _, name := range slices.Sorted(maps.Keys(q.Host.Plugin)) {
		v := q.Host.Plugin[name]
		switch {
		case slices.Contains(parents(), name):
			out = append(out, innerProblems(name, v)...)
		case rowOf(name) == nil:
			out = append(out, unknownKey(name, v, slices.Concat(keyNames(), parents(), innerNames(""))))
		case v == nil:
			out = append(out, &Problem{
				Place: pluginPlace, Name: name, Kind: WrongType, Text: fmt.Sprintf("%s is null", plugin+name),
				Next: "the host stops on it: delete it", used: true,
			})
		}
	}
	return out
}

// innerNames returns the keys of an object without its name, or with an empty name those of all objects, which only
// a suggestion needs.
func innerNames(parent string) (names []string) {
	for _, n := range keyNames() {
		if p, inner, ok := strings.Cut(n, "."); ok && (p == parent || parent == "") {
			names = append(names, inner)
		}
	}
	return names
}

func innerProblems(parent string, v any) (out []*Problem) {
	inner, ok := v.(map[string]any)
	if !ok {
		return []*Problem{{
			Place: pluginPlace, Name: parent, Value: shownValue(parent, v), Kind: WrongType, Text: fmt.Sprintf("%s: expected an object, not %s", plugin+parent, quoteValue(shownValue(parent, v))),
			Next: "the host stops on it; lcm-tui passes over it",
		}}
	}
	for _, name := range slices.Sorted(maps.Keys(inner)) {
		if rowOf(parent+"."+name) == nil {
			p := unknownKey(parent+"."+name, inner[name], nil)
			if n := nearestWord(name, innerNames(parent)); n != "" {
				p.suggest(parent + "." + n)
			}
			out = append(out, p)
		}
	}
	return out
}

// unknownKey returns the problem of a key that no version has, with the known one that was probably meant.
func unknownKey(name string, v any, known []string) *Problem {
	p := &Problem{
		Place: pluginPlace, Name: name, Value: shownValue(name, v), Kind: Unknown,
		Text: fmt.Sprintf("%s is a key that no version of lossless-claw has", plugin+name), Next: "the host stops on it: correct or delete it",
	}
	n := nearestWord(strings.TrimPrefix(name, "LCM_"), known)
	if n != "" && rowOf(n) == nil && !slices.Contains(parents(), n) { // A key of an object, which stands outside.
		i := slices.IndexFunc(keyNames(), func(k string) bool { return strings.HasSuffix(k, "."+n) })
		n = keyNames()[i]
	}
	p.suggest(n)
	return p
}

func nearestWord(word string, known []string) string { return nearest.Word(word, known, maxSlips) }

// misplacedKeys returns what stands in plugins.config, from which no host ever took anything, or beside the config of the plugin.
func (q Request) misplacedKeys() (out []*Problem) {
	add := func(place, name string, v any) {
		right := plugin + name
		p := &Problem{
			Place: place, Name: name, Value: shownValue(name, v), Kind: Misplaced, Suggestion: &right,
			Text: fmt.Sprintf("%s stands in %s, from which no host takes settings", name, place), Next: "move it to " + right + "; the host refuses such a file",
		}
		if s, ok := configured(q.Host.Plugin, name); ok {
			p.InForce = s
		}
		out = append(out, p)
	}
	for _, name := range slices.Sorted(maps.Keys(q.Host.Misplaced)) {
		add("openclaw.json plugins.config", name, q.Host.Misplaced[name])
	}
	if q.Host.Misplaced != nil && len(q.Host.Misplaced) == 0 {
		add("openclaw.json plugins.config", "config", nil)
	}
	for _, name := range slices.Sorted(maps.Keys(q.Host.Entry)) {
		if name != "enabled" && (rowOf(name) != nil || slices.Contains(parents(), name)) {
			add("openclaw.json plugins.entries.lossless-claw", name, q.Host.Entry[name])
		}
	}
	return out
}

// ownVariables are the variables that this program reads beside those of the table.
var ownVariables = strings.Fields(`LCM_OPENCLAW_DIR LCM_PROMPT_DIR LCM_SUMMARY_API LCM_SUMMARY_API_KEY LCM_SUMMARY_EXEC
	LCM_TUI_CONVERSATION_WINDOW_SIZE LCM_TUI_DEBUG LCM_TUI_HOOKS LCM_TUI_PRICES LCM_TUI_SSH LCM_TUI_SUMMARY_API LCM_TUI_SUMMARY_API_KEY
	LCM_TUI_SUMMARY_BASE_URL LCM_TUI_SUMMARY_EXEC LCM_TUI_SUMMARY_MODEL LCM_TUI_SUMMARY_PROVIDER LCM_TUI_SUMMARY_TIMEOUT_MS`)

// testVariables begin the names of variables that only tests and their tools read.
var testVariables = []string{"LCM_TEST_", "LCM_CI_", "LCM_FIXTURES", "LCM_CLIENTS", "LCM_SEARCH_DB"}

// variableNames returns the names of all variables.
func variableNames() []string {
	names := slices.Clone(ownVariables)
	for _, r := range allRows {
		names = append(names, r.env...)
	}
	return names
}

// unknownVariables returns the variables that begin as those of LCM do, and that nothing reads.
func (q Request) unknownVariables() (out []*Problem) {
	places := map[string]string{}
	for _, name := range q.Host.VariableNames() {
		_, places[name] = q.Host.Variable(name)
	}
	for _, v := range q.Environ {
		name, _, _ := strings.Cut(v, "=")
		places[name] = "environment"
	}
	known := variableNames()
	for _, name := range slices.Sorted(maps.Keys(places)) {
		isTest := slices.ContainsFunc(testVariables, func(begin string) bool { return strings.HasPrefix(name, begin) })
		if !strings.HasPrefix(name, "LCM_") || isTest || slices.Contains(known, name) {
			continue
		}
		value := any(q.Env(name))
		if value == "" {
			value, _ = q.Host.Variable(name)
		}
		p := &Problem{
			Place: places[name], Name: name, Value: shownValue(name, value), Kind: Unknown,
			Text: name + " is a variable that neither the host nor lcm-tui reads", Next: "correct its name or unset it: it has no effect",
		}
		p.suggest(nearestWord(name, known))
		out = append(out, p)
	}
	return out
}

// otherVersions returns the keys and variables that are set and that the host of the file doesn't have yet, or has no more.
func (q Request) otherVersions() (out []*Problem) {
	done := map[string]bool{}
	for _, r := range allRows {
		parent, _, _ := strings.Cut(r.name, ".")
		v, inConfig := q.Host.Plugin[parent]
		if inConfig && r.name != "" && !done[parent] {
			if p := q.otherVersion(&r, pluginPlace, parent, plugin+parent, r.since); p != nil {
				p.Value, done[parent] = shownValue(parent, v), true
				out = append(out, p)
			}
		}
		for i, name := range r.env {
			v := q.Env(name)
			if v == "" || done[name] || i > 0 {
				continue
			}
			if p := q.otherVersion(&r, "environment", name, name, ""); p != nil {
				p.Value, done[name] = shownValue(name, v), true
				out = append(out, p)
			}
		}
	}
	return out
}

// otherVersion returns the problem of a key that the host of the file doesn't have, or nil. since is empty for a variable: a
// host that doesn't know it yet passes over it.
func (q Request) otherVersion(r *row, place, name, where, since string) *Problem {
	isGone := r.gone != "" && q.Kind.Level != "" && !q.Kind.Relative && !isBefore(q.Kind.Level, r.gone)
	if r.name == "" && r.gone != "" { // No version ever followed it.
		isGone = true
	}
	p := &Problem{Place: place, Name: name, used: r.use != hostOnly, Next: "the host stops on it: delete it"}
	if place != pluginPlace {
		p.Next = "it has no effect: unset it"
	}
	if name == autocompactDisabled {
		p.Next = "the host compacts nevertheless; only hooks of lcm-tui start no work while it is true"
	}
	before := q.Kind.Before()
	switch {
	case isGone:
		p.Kind, p.Text = Gone, fmt.Sprintf("%s is gone since lossless-claw %s", where, r.gone)
	case since != "" && before != "" && q.Kind.Generation != data.GenerationOne && !isBefore(since, before):
		p.Kind, p.Text = Newer, fmt.Sprintf("%s is known since lossless-claw %s; the host that used this file last is older than %s", where, since, before)
		p.Next = "an older host stops on it: update the host, or delete it"
	default:
		return nil
	}
	return p
}
