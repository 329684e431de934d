package home

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Welcome is the screen of a program that could open no database: what went
// wrong, where it looked, and what the user can do.
type Welcome struct {
	env     *views.Env
	styles  *ui.Styles
	pager   *ui.Pager
	options views.Options
	width   int // For which the text was made.
}

var (
	keyTryAgain = ui.Act("r", "r", "try again").In("File").InFooter()
	keyDemo     = ui.Act("t", "t", "try the demo").In("File").InFooter()
	keyQuit     = ui.Act("q", "q", "quit").Named("back").WithEach().In("Program").InFooter() // The shell runs it.
)

var _ ui.Screen = (*Welcome)(nil)

// NewWelcome returns the screen that says why there is no database.
func NewWelcome(env *views.Env, o views.Options) *Welcome {
	return &Welcome{env: env, styles: env.Styles, pager: ui.NewPager(env.Styles), options: o}
}

// text returns what went wrong, what the user can do, and where was looked.
func (w *Welcome) text() string {
	s, o := w.styles, w.options
	var b strings.Builder
	line := func(before, text string) {
		indent := ansi.StringWidth(before)
		wrapped := ansi.Wrap(text, max(1, w.width-indent), "")
		b.WriteString(before + strings.ReplaceAll(wrapped, "\n", "\n"+strings.Repeat(" ", indent)) + "\n")
	}
	b.WriteString("\n" + s.Bad.Render("! ") + s.Title.Render("No database is open") + "\n\n")
	if o.Err != nil {
		line("  ", ui.Line(o.Err.Error()))
		if next := hint.OnScreen(o.Err); next != "" {
			line("  ", s.Muted.Render(ui.Line(next)))
		}
	}
	b.WriteString("\n" + s.Title.Render("What you can do") + "\n\n")
	for _, l := range [][2]string{
		{"r", "look again, now that the database may be there"},
		{"d", "choose among the databases that are found on this machine"},
		{"f", "see the copies of other machines' databases, or add a machine"},
		{"t", "try an invented database, which is deleted at the end"},
		{"lcm-tui --db FILE", "open a database that is somewhere else"},
		{"lcm-tui demo", "look around in a sample, which is deleted at the end"},
		{"lcm-tui info", "print what is shown here, with --json for scripts"},
	} {
		if l[0] == "d" && o.Databases == nil || l[0] == "f" && w.env.WhyNoMachines() != "" || l[0] == "t" && !w.hasDemo() || l[0] == "lcm-tui demo" && w.hasDemo() {
			continue
		}
		line("  "+s.Key.Render(ui.Pad(l[0], 20))+" ", l[1])
	}
	b.WriteString("\n" + s.Title.Render("Where it was looked for") + "\n\n")
	for _, l := range w.places(o) {
		line("  "+ui.Pad(ui.Line(views.ShortenHome(l[0])), 28)+" ", l[1])
	}
	return b.String()
}

// places returns the places that were looked at for the database and for others, each once.
func (w *Welcome) places(o views.Options) (out [][2]string) {
	seen := map[string]bool{}
	for _, l := range o.Locations.Places {
		value := "–"
		if l.Value != "" {
			value = ui.Line(views.ShortenHome(l.Value))
		}
		seen[l.Value] = true
		out = append(out, [2]string{l.Where, value})
	}
	for _, l := range o.Searched {
		if seen[l.Path] {
			continue
		}
		value := ui.Line(views.ShortenHome(l.Path))
		if l.Found > 0 {
			value += "  " + w.styles.Good.Render(plural.Count(l.Found, "file", "files"))
		}
		out = append(out, [2]string{l.Where, value})
	}
	return out
}

// hasDemo reports whether a demonstration can be opened.
func (w *Welcome) hasDemo() bool { return w.env.Databases != nil && w.env.Databases.Demo != nil }

// Position implements ui.Positioner.
func (w *Welcome) Position() string { return w.pager.Position() }

// Title implements ui.Screen.
func (w *Welcome) Title() string { return "no database" }

// Purpose implements ui.Screen.
func (w *Welcome) Purpose() string {
	return "Why no database could be opened, and what to do about it."
}

// Actions implements ui.Screen.
func (w *Welcome) Actions() []ui.Action {
	return append([]ui.Action{
		views.KeyDatabases.Off(w.env.Databases != nil, onlyDatabase),
		views.KeyFleet.In("File").Off(w.env.WhyNoMachines() == "", w.env.WhyNoMachines()),
		keyDemo.Off(w.hasDemo(), onlyDatabase),
		keyQuit,
		keyTryAgain.Off(w.options.CanReopen, "this database goes away with the program"),
	}, w.pager.Actions()...)
}

// Init implements ui.Screen.
func (w *Welcome) Init() tea.Cmd { return nil }

// Update implements ui.Screen.
func (w *Welcome) Update(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && !w.pager.Typing() {
		switch {
		case key.Matches(k, keyTryAgain.Key):
			return reopen()
		case key.Matches(k, views.KeyDatabases.Key) && w.env.Databases != nil:
			return ui.Say(ui.PushMsg{Screen: NewDatabases(w.env)})
		case key.Matches(k, views.KeyFleet.Key) && w.env.WhyNoMachines() == "":
			return ui.Say(ui.PushMsg{Screen: w.env.Screens.Fleet(w.env)})
		case key.Matches(k, keyDemo.Key) && w.hasDemo():
			w.env.Databases.Demo()
			return reopen()
		}
	}
	return w.pager.Update(msg)
}

// Typing implements ui.Typer.
func (w *Welcome) Typing() bool { return w.pager.Typing() }

// Escape implements ui.Escaper.
func (w *Welcome) Escape() bool { return w.pager.Escape() }

// View implements ui.Screen.
func (w *Welcome) View(width, height int) string {
	if width != w.width {
		w.width = width
		w.pager.SetText(w.text())
	}
	return w.pager.View(width, height)
}
