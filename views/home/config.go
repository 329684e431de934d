package home

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Config is the settings in force: what each is, where it comes from, and what it
// does.
type Config struct {
	views.ListScreen[*settings.Setting, views.NoDetail]
	env *views.Env
}

var _ ui.Screen = (*Config)(nil)

// NewConfig returns the screen of the settings.
func NewConfig(env *views.Env) *Config {
	c := &Config{env: env}
	id := func(s *settings.Setting) string {
		if strings.HasPrefix(s.Name, problemMark) { // A name may have several.
			return s.Name + s.About
		}
		return s.Name
	}
	list := ui.NewList(env.Styles, id, c.render, func(s *settings.Setting) string { return s.Name + " " + s.Source + " " + s.About })
	list.SetSorts(
		ui.Sort[*settings.Setting]{Name: "subject"},
		ui.Sort[*settings.Setting]{Name: "set first", Less: func(a, b *settings.Setting) bool {
			return a.Source != settings.FromDefault && b.Source == settings.FromDefault
		}},
		ui.Sort[*settings.Setting]{Name: "name", Less: func(a, b *settings.Setting) bool { return a.Name < b.Name }},
	)
	c.ListScreen = views.NewListScreen(c, env, 0.6, list, id, c.describe)
	c.LayoutColumns, c.HeaderLines = c.columns, c.header
	return c
}

// Title implements ui.Screen.
func (c *Config) Title() string { return "Settings" }

// Purpose implements ui.Screen.
func (c *Config) Purpose() string {
	return "The settings in force, which of them somebody set and where, and what each one does. Nothing is changed from here."
}

// OwnActions implements views.ListOwner.
func (c *Config) OwnActions() []views.Action {
	choose := c.env.ChooseModelAction()
	choose.Footer = true
	return []views.Action{c.ReadAction("there are no settings"), choose}
}

type settingsMsg []settings.Setting

// Load reads the settings; those of the model come first, since they decide what
// summaries cost.
func (c *Config) Load() tea.Cmd {
	find, models, chosen, onScreen := c.env.Settings, c.env.Models, c.env.ChosenModel(), c.env.ModelState.Chosen.Load() != nil
	return tea.Batch(c.env.FindModels(), c.env.Jobs.Read(c, "load", views.Read(func(context.Context) (settingsMsg, error) {
		var all settingsMsg
		if models != nil {
			all = models(chosen).Settings
		}
		for i := range all {
			if onScreen && all[i].Source == settings.FromFlag && strings.HasPrefix(all[i].Name, "summary") {
				all[i].Source = views.ChosenHere
			}
		}
		inForce := find()
		return slices.Concat(problemsOf(inForce), all, inForce.All), nil
	})))
}

// problemMark stands before what is wrong with a setting, and not before a setting.
const problemMark = "~ "

// problemsOf returns what is wrong with the configuration as lines of the list, which come first.
func problemsOf(s settings.Settings) (out []settings.Setting) {
	for _, why := range s.Enablement().Reasons {
		out = append(out, settings.Setting{Name: problemMark + "lossless-claw", Value: "not in use", Source: why.Error(), About: why.Error() + ".\n\n" + hint.Of(why)})
	}
	for _, p := range s.Found {
		if !p.IsQuiet() {
			out = append(out, settings.Setting{Name: problemMark + p.Name, Value: p.Value, Source: p.Place, About: p.Text + ".\n\n" + p.Next})
		}
	}
	return out
}

// Receive implements views.ListOwner.
func (c *Config) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case settingsMsg:
		c.List.SetItems(views.PointersTo(msg))
	case ui.ShownMsg: // The model may have been chosen meanwhile.
		return c.Load()
	}
	return nil
}

// header returns the format of the file, and the model in force.
func (c *Config) header(width, _ int) []string {
	lines := []string{" " + c.env.Styles.Muted.Render("file:  ") + ui.Cut(kindText(c.env.DB.Kind()), width-9)}
	if c.env.Models == nil {
		return lines
	}
	return append(lines, " "+c.env.Styles.Muted.Render("model: ")+c.env.ModelLine(width-9))
}

// kindText names the program that wrote a file, and the generation of the format.
func kindText(k data.Kind) string {
	out := ui.Line(k.String())
	if k.Generation != "" {
		out += ", generation " + k.Generation
	}
	if k.Upgraded {
		out += ", upgraded from " + data.GenerationZero
	}
	return out
}

func (c *Config) columns(width int) views.Columns {
	return views.Lay([]views.Column{{Title: "setting", Width: 27}, {Title: "value"}, {Title: "from", Width: 24, From: 60}}, width)
}

func (c *Config) render(s *settings.Setting, width int, _ bool) string {
	st := c.env.Styles
	return c.columns(width).Line(func(title string) string {
		switch title {
		case "setting":
			if strings.HasPrefix(s.Name, problemMark) {
				return st.Warn.Render(ui.Line(s.Name))
			}
			return ui.Line(s.Name)
		case "value":
			return shown(s.Value)
		}
		if s.Source == settings.FromDefault {
			return st.Muted.Render(s.Source)
		}
		return st.Accent.Render(ui.Line(s.Source))
	})
}

func (c *Config) describe(s *settings.Setting, _ views.NoDetail, _ int) string {
	st := c.env.Styles
	var b strings.Builder
	about, next, _ := strings.Cut(s.About, "\n\n")
	b.WriteString(st.Title.Render(ui.Line(s.Name)) + "\n\n" + ui.Line(about) + "\n\n")
	if next != "" {
		b.WriteString(ui.Line(next) + "\n\n")
	}
	lines := [][2]string{{"value", shown(s.Value)}, {"default", shown(s.Default)}, {"from", ui.Line(s.Source)}}
	if s.Minimum != nil {
		lines = append(lines, [2]string{"least", strconv.FormatFloat(*s.Minimum, 'g', -1, 64)})
	}
	if s.Since != "" {
		lines = append(lines, [2]string{"since", "lossless-claw " + ui.Line(s.Since)})
	}
	for _, l := range lines {
		b.WriteString(st.Muted.Render(ui.Pad(l[0], 9)) + l[1] + "\n")
	}
	return b.String()
}

// shown returns a setting's value for people.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case int64:
		return ui.Num(v)
	case []string:
		return ui.Line(strings.Join(v, ", "))
	}
	return ui.Line(fmt.Sprint(v))
}
