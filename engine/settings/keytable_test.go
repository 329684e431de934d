package settings_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
)

// key is a line of testdata/keys.tsv: what the schemas of all versions of the host say of a key.
type key struct {
	name, kind, preset, least, most, since, gone, earlier string
	env                                                   []string
}

func keys(t *testing.T) (out []key) {
	t.Helper()
	b, err := os.ReadFile("testdata/keys.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(f) != 9 {
			t.Fatalf("%q", line)
		}
		for i, v := range f {
			if v == "-" {
				f[i] = ""
			}
		}
		k := key{name: f[0], kind: f[2], preset: f[3], least: f[4], most: f[5], since: f[6], gone: f[7], earlier: f[8]}
		if f[1] != "" {
			k.env = strings.Split(f[1], ",")
		}
		out = append(out, k)
	}
	return out
}

// label is the name under which a key is listed.
func (k key) label() string {
	if k.name == "" {
		return k.env[0]
	}
	return k.name
}

// apart are the settings that are listed with where files are and which model is asked.
var apart = []string{"dbPath", "largeFilesDir", "summaryModel", "summaryProvider"}

// listed returns all settings by name, as they are listed.
func listed(s settings.Settings) map[string]settings.Setting {
	out := map[string]settings.Setting{}
	for _, one := range slices.Concat(s.All, s.Others) {
		out[one.Name] = one
	}
	for _, name := range apart {
		out[name] = settings.Annotate([]settings.Setting{{Name: name, Source: settings.FromDefault}})[0]
	}
	return out
}

// TestEveryKeyOfEveryVersionIsListed: with its default, minimum, maximum, versions and older default, and nothing else is.
func TestEveryKeyOfEveryVersionIsListed(t *testing.T) {
	t.Parallel()
	all := listed(settings.Load(env{}.get, openclaw.Config{}, nil))
	for _, k := range keys(t) {
		got, ok := all[k.label()]
		if !ok {
			t.Errorf("%s is not listed", k.label())
			continue
		}
		delete(all, k.label())
		bound := func(f *float64) string {
			if f == nil {
				return ""
			}
			return strconv.FormatFloat(*f, 'g', -1, 64)
		}
		earlier := ""
		if got.Earlier != nil {
			earlier = fmt.Sprintf("%s=%v", got.Earlier.Before, got.Earlier.Value)
		}
		have := []string{shown(got.Default), bound(got.Minimum), bound(got.Maximum), got.Since, got.Gone, earlier}
		if want := []string{k.preset, k.least, k.most, k.since, k.gone, k.earlier}; !slices.Equal(have, want) {
			t.Errorf("%s: %q, want %q", k.label(), have, want)
		}
	}
	for name := range all {
		t.Errorf("%s is listed and no version has it", name)
	}
}

func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []string:
		return strings.Join(v, ", ")
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// environ makes an environment with its listing.
func environ(vars env) (openclaw.Getenv, []string) {
	var list []string
	for name, v := range vars {
		list = append(list, name+"="+v)
	}
	return vars.get, list
}

// TestEverySwitchFollowsTheWordsOfTheHost: those that are on unless exactly false, and those that are on at exactly true.
func TestEverySwitchFollowsTheWordsOfTheHost(t *testing.T) {
	t.Parallel()
	n := 0
	for _, k := range keys(t) {
		if k.kind != "on-unless-false" && k.kind != "on-if-true" {
			continue
		}
		n++
		for _, given := range []string{"true", "false", "TRUE", "False", "1", "0", "yes", "no", " true", "false ", ""} {
			get, list := environ(env{k.env[0]: given})
			q := settings.Request{Env: get, Environ: list}
			s := q.Load()
			got := listed(s)[k.label()]
			want := given == "true"
			if k.kind == "on-unless-false" {
				want = given != "false"
			}
			if got.Value != want || got.Source != "environment "+k.env[0] {
				t.Errorf("%s=%q: %v from %s, want %v", k.env[0], given, got.Value, got.Source, want)
			}
			wrong := slices.ContainsFunc(q.Check(s), func(p *settings.Problem) bool { return p.Name == k.env[0] && p.Kind != settings.Gone })
			if isWord := given == "true" || given == "false"; wrong == isWord {
				t.Errorf("%s=%q: a problem is %v", k.env[0], given, wrong)
			}
		}
		if k.name == "" {
			continue
		}
		for _, v := range []any{true, false} {
			s := settings.Load(env{}.get, openclaw.Config{Plugin: nested(k.name, v)}, nil)
			if got := listed(s)[k.name]; got.Value != v {
				t.Errorf("%s: %v in the configuration: %v", k.name, v, got.Value)
			}
		}
	}
	if n != 13 {
		t.Errorf("%d switches", n)
	}
}

// nested returns a configuration with one key.
func nested(name string, v any) map[string]any {
	if parent, inner, ok := strings.Cut(name, "."); ok {
		return map[string]any{parent: map[string]any{inner: v}}
	}
	return map[string]any{name: v}
}

// TestEveryNumberSaysWhatIsInForceInstead: below its minimum, above its maximum and of another type, wherever it stands.
func TestEveryNumberSaysWhatIsInForceInstead(t *testing.T) {
	t.Parallel()
	for _, k := range keys(t) {
		if k.kind != "int" && k.kind != "number" {
			continue
		}
		bad := map[string]settings.ProblemKind{"many": settings.WrongType}
		least, err := strconv.ParseFloat(k.least, 64)
		if err != nil {
			t.Fatal(err)
		}
		bad[shown(least-1)] = settings.Range
		if k.most != "" {
			bad[k.most+"1"] = settings.Range // 0.951 and 11.
		}
		if k.kind == "int" {
			bad[shown(least+0.5)] = settings.WrongType
		}
		for given, kind := range bad {
			var v any = given
			if f, err := strconv.ParseFloat(given, 64); err == nil {
				v = f
			}
			q := settings.Request{Env: env{}.get, Host: openclaw.Config{Plugin: nested(k.name, v)}}
			found := q.Check(q.Load())
			if len(found) != 1 || found[0].Kind != kind || found[0].Name != k.name || !found[0].StopsHost() || shown(found[0].InForce) != k.preset {
				t.Errorf("%s: %v: %+v", k.name, v, found)
			}
			get, list := environ(env{k.env[0]: given})
			q = settings.Request{Env: get, Environ: list}
			found = q.Check(q.Load())
			if len(found) == 0 || found[0].Kind != kind || found[0].Name != k.env[0] || found[0].StopsHost() || !strings.Contains(found[0].Next, shown(found[0].InForce)) {
				t.Errorf("%s=%v: %+v", k.env[0], v, found)
			}
		}
	}
}

// TestDefaultsOfOlderHosts: for a file that a host of before a version used last, its defaults are in force.
func TestDefaultsOfOlderHosts(t *testing.T) {
	t.Parallel()
	for level, want := range map[string][]int64{"0.1.0": {32, 0, 1200}, "0.5.0": {32, 0, 1200}, "0.6.0": {64, 1, 2400}, "0.15.3": {64, 1, 2400}, "": {64, 1, 2400}} {
		s := settings.Load(env{}.get, openclaw.Config{}, nil).ForKind(data.Kind{Name: "lossless-claw", Level: level})
		c := s.Compaction()
		if got := []int64{int64(c.FreshTailCount), int64(c.SweepMaxDepth), c.LeafTargetTokens}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", level, got, want)
		}
	}
	set := settings.Load(env{"LCM_FRESH_TAIL_COUNT": "7"}.get, openclaw.Config{}, nil).ForKind(data.Kind{Name: "lossless-claw", Level: "0.1.0"})
	if got := set.Compaction().FreshTailCount; got != 7 {
		t.Errorf("what is set: %d", got)
	}
}
