package home

import (
	"context"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Databases is the screen of the databases of this machine: the first one where there are
// several and nobody named one. What has to be read of them is read for the rows on screen first.
type Databases struct {
	env      *views.Env
	list     *ui.List[*databaseRow]
	rows     []*databaseRow
	problems []error
	loads    int // How often the rows were loaded.
	machines int // Of how many machines copies are kept, or will be.
}

// databaseRow is a database and what is known of it so far.
type databaseRow struct {
	openclaw.Database
	load     int           // The load after which it was read.
	overview *lcm.Overview // Nil until it is read, and where it can't be.
	err      error         // Why it can't be read.
	counts   *integrity.Counts
	checkErr error          // Why it can't be checked.
	machine  *views.Machine // Of which it is a copy; nil where it is none.
}

var _ ui.Screen = (*Databases)(nil)

// NewDatabases returns the screen of the databases of this machine.
func NewDatabases(env *views.Env) *Databases {
	d := &Databases{env: env}
	d.list = ui.NewList(env.Styles, (*databaseRow).path, d.render, (*databaseRow).text)
	d.list.SetSorts(
		ui.Sort[*databaseRow]{Name: "default, then newest"},
		ui.Sort[*databaseRow]{Name: "name", Less: func(a, b *databaseRow) bool { return a.name() < b.name() }},
		ui.Sort[*databaseRow]{Name: "size", Less: func(a, b *databaseRow) bool { return a.Bytes > b.Bytes }},
		ui.Sort[*databaseRow]{Name: "growth", Less: func(a, b *databaseRow) bool { return a.perDay() > b.perDay() }},
		ui.Sort[*databaseRow]{Name: sortDamage, Less: func(a, b *databaseRow) bool { return a.damageRank() > b.damageRank() }},
	)
	return d
}

func (r *databaseRow) path() string { return r.Path }

// text returns what the filter searches.
func (r *databaseRow) text() string {
	kind := ""
	if r.overview != nil {
		kind = r.overview.Kind.String()
	}
	return strings.Join([]string{views.ShortenHome(r.Path), r.Program, views.ShortenHome(r.Project), kind}, " ")
}

// name returns what the list calls the database: the project whose memory it is, or its path, without
// the name that all files of the program have.
func (r *databaseRow) name() string {
	switch {
	case r.Machine != "":
		return r.Program
	case r.Project != "" && r.Program != "":
		return views.ShortenHome(r.Project)
	case r.Program != "" && views.DatabaseName(r.Path) != filepath.Base(r.Path):
		return views.DatabaseName(r.Path)
	}
	return views.ShortenHome(r.Path)
}

// perDay returns how many bytes the file grows in a day, -1 where that isn't known.
func (r *databaseRow) perDay() int64 {
	if r.overview == nil {
		return -1
	}
	return r.overview.Growth.PerDay
}

// Title implements ui.Screen.
func (d *Databases) Title() string { return "Databases" }

// Purpose implements ui.Screen.
func (d *Databases) Purpose() string {
	return "Every database that was found on this machine, in the places of OpenClaw and its profiles, Pi, NanoClaw, lossless-claude and Hermes. Nothing is changed from here."
}

// Init implements ui.Screen.
func (d *Databases) Init() tea.Cmd { return d.load() }

func (d *Databases) load() tea.Cmd {
	source := d.env.Databases
	return d.env.Jobs.Read(d, "load", views.Read(func(ctx context.Context) (loadedDatabases, error) { return findDatabases(ctx, source), nil }))
}

// Typing implements ui.Typer.
func (d *Databases) Typing() bool { return d.list.Typing() }

// Escape implements ui.Escaper.
func (d *Databases) Escape() bool { return d.list.Escape() }

// Position implements ui.Positioner.
func (d *Databases) Position() string { return d.list.Position() }

// Copy implements ui.Copier.
func (d *Databases) Copy() string {
	if r, ok := d.list.Selected(); ok {
		return r.Path
	}
	return ""
}

// Update implements ui.Screen.
func (d *Databases) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case loadedDatabases:
		d.receive(msg.found)
		d.receiveMachines(msg.machines)
	case overviewsMsg:
		d.receiveOverviews(msg)
	case databaseCheckMsg:
		d.receiveCheck(msg)
	case ui.ChangedMsg, ui.ShownMsg:
		d.list.Stay()
		return d.load()
	case ui.OpenMsg:
		cmd, _ = views.RunAction(d.actions(), ui.Press("enter"))
		return cmd
	case tea.KeyPressMsg:
		if !d.list.Typing() {
			if cmd, found := views.RunAction(d.actions(), msg); found {
				return cmd
			}
		}
		cmd = d.list.Update(msg)
	case tea.MouseWheelMsg, tea.MouseClickMsg:
		cmd = d.list.Update(ui.ShiftMouse(msg, 0, -1))
	default:
		cmd = d.list.Update(msg)
	}
	return tea.Batch(cmd, d.read(), d.check())
}

// receive takes the databases. What is known of those that were there before stays until it is
// read again. The first time the cursor goes to the database that is open.
func (d *Databases) receive(found openclaw.Discovery) {
	known := map[string]*databaseRow{}
	for _, r := range d.rows {
		known[r.Path] = r
	}
	d.rows = nil
	for _, db := range found.Databases {
		r := &databaseRow{Database: db}
		if k := known[db.Path]; k != nil {
			r.overview, r.err, r.machine = k.overview, k.err, k.machine
			if k.Bytes == db.Bytes && k.Modified.Equal(db.Modified) {
				r.counts, r.checkErr = k.counts, k.checkErr
			}
		}
		d.rows = append(d.rows, r)
	}
	d.problems = found.Problems
	d.list.SetItems(d.rows)
	if d.loads++; d.loads > 1 {
		return
	}
	for _, r := range d.rows {
		if d.isOpen(r) {
			d.list.Select(r.Path)
		}
	}
}

var keyOpenDatabase = ui.Act("enter", "⏎", "open").In("File").InFooter()

// Actions implements ui.Screen.
func (d *Databases) Actions() (out []ui.Action) {
	for _, a := range d.actions() {
		out = append(out, a.Action)
	}
	return append(out, d.list.Actions()...)
}

func (d *Databases) actions() []views.Action {
	r, some := d.list.Selected()
	why := "there is no database"
	if some {
		why = ""
		if r.err != nil {
			why = "it can't be opened: " + ui.Line(data.ProblemOf(r.err))
		}
	}
	noDiff := views.FirstNonEmpty(why, views.TextWhen(d.env.DB == nil, "no database is open"), views.TextWhen(some && d.isOpen(r), "it is the one that is open"))
	return []views.Action{
		{Action: keyOpenDatabase.Off(why == "", why), Run: func() tea.Cmd { return d.open(r) }},
		{Action: views.KeyDiff.In("File").InFooter().Off(noDiff == "", noDiff), Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: d.env.Screens.FileDiff(d.env, r.Path)}) }},
		d.fleetAction(),
	}
}

// open opens a database in place of the one that is open, which is only returned to if it is the
// same.
func (d *Databases) open(r *databaseRow) tea.Cmd {
	if d.isOpen(r) {
		return ui.Say(ui.PopMsg{Screen: d})
	}
	source, db := d.env.Databases, r.Database
	return ui.Say(ui.RestartMsg{Question: "Open another database?", Verb: "open it", Before: func() { source.Choose(db) }})
}

// isOpen reports whether the database is the one that is open.
func (d *Databases) isOpen(r *databaseRow) bool {
	if d.env.DB == nil {
		return false
	}
	for _, path := range append([]string{r.Path}, r.SameFile...) {
		if path == d.env.DB.Path() {
			return true
		}
	}
	return false
}

// View implements ui.Screen.
func (d *Databases) View(width, height int) string {
	s := d.env.Styles
	details := d.details(width, height)
	d.list.Head = d.columns(width - 1).Head(s.Muted)
	d.list.Empty = "looking for databases"
	if d.loads > 0 {
		d.list.Empty = "no database was found on this machine: an agent's host makes one when it gets its first message"
	}
	list := ui.Fit(d.list.View(width, max(1, height-1-len(details))), width, max(1, height-1-len(details)))
	return strings.Join(append([]string{s.Muted.Render(d.bar(width)), list}, details...), "\n")
}

// bar says how many databases are listed, and in which order.
func (d *Databases) bar(width int) string {
	left := " " + d.list.Count() + plural.Noun(len(d.list.Items()), " database", " databases")
	if n := len(d.problems); n > 0 {
		left += "   ! " + plural.Count(n, "place can't be searched", "places can't be searched")
	}
	if d.machines > 0 {
		left += "   copies of " + plural.Count(d.machines, "machine", "machines")
	}
	right := "/ filter   o sort: " + d.list.SortLabel() + " "
	if ansi.StringWidth(left+right) >= width {
		return ui.Cut(left, width)
	}
	return ui.Pad(left, width-ansi.StringWidth(right)) + right
}
