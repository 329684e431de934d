package hosts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/ui/userconfig"
)

// ownConfig is what config.toml sets, for config.
type ownConfig struct {
	Path     string              `json:"path"`
	Found    bool                `json:"found"`
	Keys     map[string][]string `json:"keys"`
	Colors   map[string][]string `json:"colors"` // On a light and on a dark background.
	Work     ownWork             `json:"work"`
	Ignored  []string            `json:"ignore_cwd"`
	Sessions []string            `json:"ignore_session"`
	ReadOnly []string            `json:"stateless_session"`
	Problems []ownProblem        `json:"problems"`
}

// ownWork is what may be done without being asked each time.
type ownWork struct {
	Enabled  bool    `json:"enabled"`
	Provider string  `json:"provider"`
	Model    string  `json:"model"`
	Calls    int     `json:"max_calls_per_day"`
	Dollars  float64 `json:"max_dollars_per_day"`
}

// ownProblem is a mistake in config.toml.
type ownProblem struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

func newOwnConfig(c *userconfig.Config) ownConfig {
	out := ownConfig{Path: c.Path, Found: c.Found, Keys: map[string][]string{}, Colors: map[string][]string{}, Problems: []ownProblem{}}
	out.Work, out.Ignored = ownWork(c.Work), append([]string{}, c.IgnoredFolders...)
	out.Sessions, out.ReadOnly = append([]string{}, c.IgnoredSessions...), append([]string{}, c.StatelessSessions...)
	for _, a := range userconfig.Actions() {
		if _, is := c.Keys[a.Name]; is {
			out.Keys[a.Name] = c.KeysOf(a)
		}
	}
	for name, pair := range c.Colors {
		out.Colors[name] = []string{pair.Light, pair.Dark}
	}
	for _, p := range c.Problems {
		out.Problems = append(out.Problems, ownProblem{p.Line, p.Column, p.Text})
	}
	return out
}

func (o *ownConfig) print(p *cli.Printer) {
	if !o.Found {
		return
	}
	p.Write("\n")
	p.Title(ui.Line(o.Path))
	for _, name := range slices.Sorted(maps.Keys(o.Keys)) {
		p.Linef("key     %s  %s", name, ui.Line(strings.Join(o.Keys[name], " ")))
	}
	for _, name := range slices.Sorted(maps.Keys(o.Colors)) {
		p.Linef("colour  %s  %s on light, %s on dark", name, ui.Line(o.Colors[name][0]), ui.Line(o.Colors[name][1]))
	}
	work := "off"
	if o.Work.Enabled {
		work = fmt.Sprintf("%s, at most %s and %s a day", strings.TrimSpace(o.Work.Provider+" "+o.Work.Model), plural.Count(o.Work.Calls, "call", "calls"), userconfig.Work{Dollars: o.Work.Dollars}.LimitText())
	}
	p.Line("work    " + ui.Line(work))
	for _, folder := range o.Ignored {
		p.Line("ignored " + ui.Line(folder))
	}
	for _, pattern := range o.Sessions {
		p.Line("ignored sessions " + ui.Line(pattern))
	}
	for _, pattern := range o.ReadOnly {
		p.Line("only read sessions " + ui.Line(pattern))
	}
	for _, problem := range o.Problems {
		p.Write(p.Styles.Warn.Render("~ "+ui.Line(userconfig.Problem(problem).String())) + "\n")
	}
}

// userWarning says that something is wrong in the user's configuration, or is empty.
func userWarning(c *userconfig.Config) string {
	if len(c.Problems) == 0 {
		return ""
	}
	return fmt.Sprintf("config.toml: %s, listed by lcm-tui config: %s", plural.Count(len(c.Problems), "mistake", "mistakes"), c.Problems[0])
}

// keyList is the result of config keys.
type keyList struct {
	Actions []keyRow `json:"actions"`
	cli.WarningList
}

// keyRow is an action and its keys.
type keyRow struct {
	Name    string   `json:"name"`
	Keys    []string `json:"keys"`
	Default []string `json:"default"`
	Each    bool     `json:"each_key_by_itself"`
	About   string   `json:"meaning"`
}

func newKeyList(c *userconfig.Config) *keyList {
	l := &keyList{}
	for _, a := range userconfig.Actions() {
		l.Actions = append(l.Actions, keyRow{a.Name, c.KeysOf(a), a.Keys, a.Each, a.About})
	}
	return l
}

func (l *keyList) Print(p *cli.Printer) {
	rows := make([][]string, len(l.Actions))
	for i, a := range l.Actions {
		keys := ui.Line(strings.Join(a.Keys, " "))
		if !slices.Equal(a.Keys, a.Default) {
			keys = cli.Styled(p.Styles.Accent, keys)
		}
		rows[i] = []string{a.Name, keys, a.About}
	}
	p.Table([]cli.Column{{Title: "action"}, {Title: "keys"}, {Title: "what it does", Grows: true}}, rows)
}
