package userconfig_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/ui"
	"lcm-tui/ui/userconfig"
)

// load returns what a text sets.
func load(t *testing.T, text string) *userconfig.Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return userconfig.Load(path)
}

func TestKeysAndColorsAreSet(t *testing.T) {
	t.Parallel()
	c := load(t, `
[keys]
dissolve = "ctrl+g"
help = ["f1", "f3"]
move = { up = "ctrl+k", down = ["ctrl+j", "alt+d"] }
[colors]
bad = 9
accent = "#FF00ff"
d0 = { light = "4", dark = "#abcdef" }
`)
	if len(c.Problems) > 0 || !c.Found {
		t.Fatalf("%+v", c)
	}
	if k := c.Keys["help"].All; !slices.Equal(k, []string{"f1", "f3"}) || !slices.Equal(c.Keys["move"].Each["down"], []string{"ctrl+j", "alt+d"}) {
		t.Errorf("the keys are %v", c.Keys)
	}
	want := ui.Colors{"accent": {Light: "#FF00ff", Dark: "#FF00ff"}, "d0": {Light: "4", Dark: "#abcdef"}, "bad": {Light: "9", Dark: "9"}}
	for name, pair := range want {
		if c.Colors[name] != pair {
			t.Errorf("%s is %v", name, c.Colors[name])
		}
	}
	if s := c.Colors.Styles(true); s.D0.GetForeground() == ui.Colors(nil).Styles(true).D0.GetForeground() {
		t.Error("the colour of depth 0 is the program's")
	}
}

// TestMistakesHaveTheirPlace: each is said with line and column, and the rest counts.
func TestMistakesHaveTheirPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[keys]\ndisolve = \"x\"":                    "line 2, column 1: there is no action disolve",
		"[keys]\n  dissolve = \"dd\"":                `line 2, column 3: there is no key "dd"`,
		"[keys]\ndissolve = []":                      "expected a key for dissolve",
		"[keys]\ndissolve = { d = \"x\" }":           "expected a key or a list of keys for dissolve",
		"[keys]\nmove = \"w\"":                       "the keys of move do different things",
		"[keys]\nmove = { left = \"w\" }":            "move has no key left",
		"[keys]\nkeep-filter = \"x\"":                "works while text is typed",
		"[keys]\nquit-from-anywhere = \"x\"":         "works while text is typed",
		"[colors]\nbad = \"reddish\"":                "is no colour",
		"[colors]\nbad = 256":                        "is no colour",
		"[colors]\nbad = \"#12345\"":                 "is no colour",
		"[colors]\nbad = { light = \"#123456\" }":    "one for each background",
		"[colors]\nred = \"#123456\"":                "there is no colour red",
		"[kesy]\ndissolve = \"x\"":                   "there is no table [kesy]",
		"dissolve = \"x\"":                           "stands in no table",
		"[keys]\nrewrite = \"f9\"\nundo = x":         "line 3, column 8",
		"[keys]\nrewrite = \"f9\"\nrewrite = \"f8\"": "line 3",
		"[keys]\nrewrite = \"d\"":                    "line 2, column 1: d is the key of dissolve on the same screen, so rewrite keeps its own",
		"[keys]\nrewrite = \"?\"":                    "? is the key of help on the same screen",
		"[keys]\nhelp = \"f9\"\ncommands = \"f9\"":   "line 3, column 1: f9 is the key of help on the same screen, so commands keeps its own",
		"[keys]\ndissolve = \"r\"\nrewrite = \"W\"":  "line 3, column 1: W is the key of rewrite-branch",
		"[keys]\nback = { q = \"d\" }":               "d is the key of",
	} {
		c := load(t, text+"\n")
		found := slices.ContainsFunc(c.Problems, func(p userconfig.Problem) bool { return strings.Contains(p.String(), want) })
		if !found {
			t.Errorf("%q: %v, wanted %q", text, c.Problems, want)
		}
	}
	c := load(t, "[keys]\nnosuch = \"x\"\ndissolve = \"f9\"\n")
	if len(c.Problems) != 1 || !slices.Equal(c.Keys["dissolve"].All, []string{"f9"}) {
		t.Errorf("the rest doesn't count: %+v", c)
	}
}

// TestActionsMayChangePlaces: a key that its action gave up is free.
func TestActionsMayChangePlaces(t *testing.T) {
	t.Parallel()
	c := load(t, "[keys]\ndissolve = \"r\"\nrewrite = \"d\"\n")
	if len(c.Problems) > 0 || len(c.Keys) != 2 {
		t.Errorf("%+v", c)
	}
	// What keeps its own key is in the way of the one that wanted it.
	c = load(t, "[keys]\ndissolve = \"r\"\nrewrite = \"W\"\n")
	if len(c.Problems) != 2 || len(c.Keys) != 0 {
		t.Errorf("%+v", c)
	}
}

// TestEveryActionCanHaveAnyFreeKey: there is no action whose keys can't be set.
func TestEveryActionCanHaveAnyFreeKey(t *testing.T) {
	t.Parallel()
	for _, a := range userconfig.Actions() {
		text := a.Name + " = \"ctrl+alt+z\""
		if a.Each {
			text = a.Name + " = { \"" + a.Keys[0] + "\" = \"ctrl+alt+z\" }"
		}
		c := load(t, "[keys]\n"+text+"\n")
		if len(c.Problems) > 0 || !slices.Contains(c.KeysOf(a), "ctrl+alt+z") || slices.Contains(c.KeysOf(a), a.Keys[0]) {
			t.Errorf("%s: %v, %v", text, c.Problems, c.KeysOf(a))
		}
	}
	if n := len(userconfig.Actions()); n < 200 {
		t.Errorf("only %d actions", n)
	}
}

// TestAFileThatIsNotThere sets nothing, and isn't wrong.
func TestAFileThatIsNotThere(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", filepath.Join(t.TempDir(), "config.toml")} {
		if c := userconfig.Load(path); c.Found || len(c.Problems)+len(c.Keys)+len(c.Colors) > 0 {
			t.Errorf("%q: %+v", path, c)
		}
	}
	if c := userconfig.Load(t.TempDir()); len(c.Problems) != 1 {
		t.Errorf("a folder in its place: %+v", c)
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ xdg, home, want string }{
		{"/x", "/h", "/x/lcm-tui/config.toml"}, {"relative", "/h", "/h/.config/lcm-tui/config.toml"}, {"", "/h", "/h/.config/lcm-tui/config.toml"}, {"", "", ""},
	} {
		env := map[string]string{"XDG_CONFIG_HOME": c.xdg, "HOME": c.home}
		if got := userconfig.Path(func(k string) string { return env[k] }); filepath.ToSlash(got) != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestTheDocumentation: its example is without a mistake, and its table has every colour.
func TestTheDocumentation(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```toml\n")
	example, rest, _ := strings.Cut(rest, "```")
	if c := load(t, example); len(c.Problems) > 0 || len(c.Keys) < 3 || len(c.Colors) < 3 {
		t.Errorf("the example: %+v", c)
	}
	for _, name := range ui.ColorNames() {
		if !strings.Contains(rest, "`"+name+"`") {
			t.Errorf("the colour %s is missing", name)
		}
	}
}
