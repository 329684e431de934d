package userconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"lcm-tui/ui"
)

// Config is what a file sets.
type Config struct {
	Path   string // Empty where the user has no folder for configuration.
	Found  bool
	Keys   ui.Keymap
	Colors ui.Colors
	Work   Work
	// IgnoredFolders are patterns of the folders of which nothing is kept: ignore-cwd in the table [follow].
	IgnoredFolders []string
	// IgnoredSessions and StatelessSessions are patterns of the session keys of which nothing is kept, and of which
	// nothing is kept but that may read: ignore-session and stateless-session in the table [follow].
	IgnoredSessions, StatelessSessions []string
	Problems                           []Problem
	// Targets are the addresses of replicas by name: the table [targets].
	Targets map[string]string
}

// Problem is a mistake in the file.
type Problem struct {
	Line, Column int // From 1; 0 where it has no place.
	Text         string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.Text
	}
	return fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Text)
}

// Path returns where the file is looked for: lcm-tui/config.toml in the user's folder for configuration. It
// is empty where there is no such folder.
func Path(getenv func(string) string) string {
	base := getenv("XDG_CONFIG_HOME")
	switch {
	case filepath.IsAbs(base):
	case runtime.GOOS == "windows":
		base = getenv("APPDATA")
	case getenv("HOME") != "":
		base = filepath.Join(getenv("HOME"), ".config")
	default:
		base = ""
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, "lcm-tui", "config.toml")
}

// Load reads the file at a path. A file that isn't there sets nothing.
func Load(path string) *Config {
	c := &Config{Path: path, Work: defaultWork}
	if path == "" {
		return c
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c
	case err != nil:
		c.Found = true
		c.Problems = []Problem{{Text: err.Error()}}
		return c
	}
	c.parse(text)
	return c
}

// parse reads the text of a file.
func (c *Config) parse(text []byte) {
	c.Found, c.Keys, c.Colors = true, ui.Keymap{}, ui.Colors{}
	entries, problems := readEntries(text)
	c.Problems = problems
	places := map[string]entry{}
	for _, e := range entries {
		var err error
		switch e.table {
		case "keys":
			err = c.setKeys(e)
			places[e.name] = e
		case "colors":
			err = c.setColor(e)
		case "work":
			err = c.Work.set(e)
		case "follow":
			err = c.setFollow(e)
		case "targets":
			err = c.setTarget(e)
		case "":
			err = fmt.Errorf("%s stands in no table: there are [keys], [colors], [work], [follow] and [targets]", e.name)
		default:
			err = fmt.Errorf("there is no table [%s]: there are [keys], [colors], [work], [follow] and [targets]", e.table)
		}
		if err != nil {
			c.problem(e, err)
		}
	}
	c.dropConflicts(places)
	slices.SortStableFunc(c.Problems, func(a, b Problem) int { return a.Line - b.Line })
}

// setFollow sets which sessions aren't kept.
func (c *Config) setFollow(e entry) error {
	to := map[string]*[]string{"ignore-cwd": &c.IgnoredFolders, "ignore-session": &c.IgnoredSessions, "stateless-session": &c.StatelessSessions}[e.name]
	if to == nil || e.pairs != nil {
		return fmt.Errorf("there is no setting %s: there are ignore-cwd, ignore-session and stateless-session", e.name)
	}
	*to = e.values
	return nil
}

// setTarget sets the address of a replica.
func (c *Config) setTarget(e entry) error {
	if len(e.values) != 1 || e.pairs != nil || e.values[0] == "" {
		return fmt.Errorf("expected one address for %s, such as \"service=lcm\"", e.name)
	}
	if c.Targets == nil {
		c.Targets = map[string]string{}
	}
	c.Targets[e.name] = e.values[0]
	return nil
}

func (c *Config) problem(e entry, err error) {
	c.Problems = append(c.Problems, Problem{Line: e.line, Column: e.column, Text: err.Error()})
}

// setKeys gives an action the keys of an entry.
func (c *Config) setKeys(e entry) error {
	a, known := find(e.name)
	if !known {
		return fmt.Errorf("there is no action %s; lcm-tui config keys lists them", e.name)
	}
	if _, twice := c.Keys[a.Name]; twice {
		return fmt.Errorf("%s is given twice", a.Name)
	}
	if a.Each != (e.pairs != nil) {
		if a.Each {
			return fmt.Errorf("the keys of %s do different things: give each by itself, as in %s = { %s = \"w\" }", a.Name, a.Name, quotedKey(a.Keys[0]))
		}
		return fmt.Errorf("expected a key or a list of keys for %s, such as %s = \"w\"", a.Name, a.Name)
	}
	given := ui.Keys{All: e.values}
	all := slices.Clone(e.values)
	if a.Each {
		given.Each = map[string][]string{}
		for own, keys := range e.pairs {
			if !slices.Contains(a.Keys, own) {
				return fmt.Errorf("%s has no key %s: it has %s", a.Name, own, strings.Join(a.Keys, ", "))
			}
			given.Each[own] = keys
			all = append(all, keys...)
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("expected a key for %s", a.Name)
	}
	for _, k := range all {
		switch {
		case !ui.IsKey(k):
			return fmt.Errorf("there is no key %q; keys are written as d, D, enter, f5, ctrl+p or alt+pgup", k)
		case a.Typing && ui.IsText(k):
			return fmt.Errorf("%s works while text is typed, so %s can't be its key: take one with ctrl or alt", a.Name, k)
		}
	}
	c.Keys[a.Name] = given
	return nil
}

// quotedKey returns a key as TOML has it before an equals sign.
func quotedKey(key string) string {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == "" {
		return key
	}
	return `"` + key + `"`
}

// setColor chooses a colour.
func (c *Config) setColor(e entry) error {
	if !slices.Contains(ui.ColorNames(), e.name) {
		return fmt.Errorf("there is no colour %s: there are %s", e.name, strings.Join(ui.ColorNames(), ", "))
	}
	if _, twice := c.Colors[e.name]; twice {
		return fmt.Errorf("%s is given twice", e.name)
	}
	pair := ui.ColorPair{}
	switch {
	case len(e.values) == 1 && e.pairs == nil:
		pair = ui.ColorPair{Light: e.values[0], Dark: e.values[0]}
	case len(e.pairs) == 2 && len(e.pairs["light"]) == 1 && len(e.pairs["dark"]) == 1:
		pair = ui.ColorPair{Light: e.pairs["light"][0], Dark: e.pairs["dark"][0]}
	default:
		return fmt.Errorf("expected a colour for %s, such as \"#1f5fbf\" or 4, or one for each background: { light = \"#1f5fbf\", dark = \"#7aa8ff\" }", e.name)
	}
	for _, value := range []string{pair.Light, pair.Dark} {
		if !isColor(value) {
			return fmt.Errorf("%q is no colour: expected #rrggbb or the number of an ANSI colour, 0 to 255", value)
		}
	}
	c.Colors[e.name] = pair
	return nil
}

// dropConflicts removes keys that another action of one screen has, each time those of the later entry of the
// file. What then has its own key again may be in the way of others, so it looks again.
func (c *Config) dropConflicts(places map[string]entry) {
	names := make([]string, 0, len(c.Keys))
	for name := range c.Keys {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return places[b].order - places[a].order })
	for again := true; again; {
		again = false
		for _, name := range names {
			if _, is := c.Keys[name]; !is {
				continue
			}
			if key, other := c.conflict(name); other != "" {
				c.problem(places[name], fmt.Errorf("%s is the key of %s on the same screen, so %s keeps its own", key, other, name))
				delete(c.Keys, name)
				again = true
			}
		}
	}
}

// conflict returns a key of an action, given by the user, that another action has on the same screen.
func (c *Config) conflict(name string) (key, other string) {
	a, _ := find(name)
	_, screens := actions()
	for _, s := range screens {
		if !slices.Contains(s, name) {
			continue
		}
		for _, o := range s {
			b, _ := find(o)
			if o == name || b.Typing != a.Typing && !alwaysWorks(a) && !alwaysWorks(b) {
				continue
			}
			for _, k := range c.keysOf(a) {
				if !slices.Contains(a.Keys, k) && slices.Contains(c.keysOf(b), k) {
					return k, o
				}
			}
		}
	}
	return "", ""
}

// alwaysWorks reports whether an action works whether text is typed or not.
func alwaysWorks(a Action) bool { return a.Name == "quit-from-anywhere" }

// keysOf returns the keys of an action that are in force.
func (c *Config) keysOf(a Action) (keys []string) {
	given, is := c.Keys[a.Name]
	switch {
	case !is:
		return a.Keys
	case !a.Each:
		return given.All
	}
	for _, own := range a.Keys {
		if to, moved := given.Each[own]; moved {
			keys = append(keys, to...)
		} else {
			keys = append(keys, own)
		}
	}
	return keys
}

// KeysOf returns the keys of an action that are in force.
func (c *Config) KeysOf(a Action) []string { return c.keysOf(a) }
