package home

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// columns returns what fits a width.
func (d *Databases) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: " ", Width: 1},
		{Title: "database"},
		{Title: "written by", Width: 22, From: 64},
		{Title: "size", Width: 8, Right: true, From: 44},
		{Title: "conversations", Width: 13, Right: true, From: 132},
		{Title: "messages", Width: 9, Right: true, From: 108},
		{Title: "growth", Width: 11, Right: true, From: 92},
		{Title: "health", Width: 14, From: 40},
		{Title: "last", Width: 7, Right: true, From: 54},
	}, width)
}

// render draws one database. A dot stands for what isn't read yet.
func (d *Databases) render(r *databaseRow, width int, _ bool) string {
	columns := d.columns(width)
	return columns.Line(func(title string) string { return d.cell(r, title, columns.Width(title)) })
}

func (d *Databases) cell(r *databaseRow, title string, width int) string {
	s := d.env.Styles
	switch title {
	case " ":
		if d.isOpen(r) {
			return s.Good.Render("●")
		}
		return ""
	case "database":
		name := ui.Line(r.name())
		if r.machine != nil {
			name += ", " + views.Ago(r.machine.CheckedAt, d.env.Now())
		}
		return ui.CutMiddle(name, width)
	case "size":
		if r.Modified.IsZero() {
			return s.Muted.Render("–")
		}
		return ui.Size(r.Bytes)
	case "health":
		return d.health(r)
	case "last":
		return s.Muted.Render(views.Ago(r.newest(), d.env.Now()))
	case "growth":
		if text := r.copyGrowth(); text != "" {
			return text
		}
	}
	if r.overview == nil {
		return d.unreadCell(r, title)
	}
	switch title {
	case "written by":
		return ui.Line(r.overview.Kind.String())
	case "conversations":
		return ui.Num(r.overview.Conversations)
	case "messages":
		return ui.Num(r.overview.Messages)
	}
	return growthCell(r.overview.Growth)
}

// unreadCell returns a cell of a database that isn't read yet, or can't be.
func (d *Databases) unreadCell(r *databaseRow, title string) string {
	s := d.env.Styles
	switch {
	case title == "written by":
		return s.Muted.Render(ui.Line(views.FirstNonEmpty(r.Program, "·")))
	case r.err != nil:
		return s.Muted.Render("–")
	}
	return s.Faint.Render("·")
}

func growthCell(g lcm.Growth) string {
	if g.PerDay == 0 {
		return "–"
	}
	return ui.Size(g.PerDay) + "/d"
}

// newest returns when the last message came, else when the file was written.
func (r *databaseRow) newest() time.Time {
	if r.overview != nil && r.overview.LastMessageAt.Valid() {
		return r.overview.LastMessageAt.Time
	}
	return r.Modified
}

// health says in two or three words what is known of a database's health.
func (d *Databases) health(r *databaseRow) string {
	s := d.env.Styles
	switch {
	case r.err != nil:
		return s.Bad.Render("! " + shortProblem(r.err))
	case r.overview == nil:
		return s.Faint.Render("· reading")
	case len(r.overview.Warnings) > 0:
		return s.Bad.Render("! " + shortProblem(r.overview.Warnings[0]))
	case r.overview.Kind.Relative:
		return s.Muted.Render("  read-only")
	case r.checkErr != nil:
		return s.Warn.Render("~ not checked")
	case r.counts == nil:
		return s.Faint.Render("· unchecked")
	}
	switch damage := r.counts.Fatal + r.counts.Error; {
	case damage > 0:
		return s.Bad.Render("! " + plural.Count(damage, "error", "errors"))
	case r.counts.Warn > 0:
		return s.Warn.Render("~ " + plural.Count(r.counts.Warn, "warning", "warnings"))
	}
	return s.Muted.Render("  ok")
}

// damageRank orders databases by how bad they are.
func (r *databaseRow) damageRank() int {
	switch {
	case r.err != nil:
		return 1 << 40
	case r.overview != nil && len(r.overview.Warnings) > 0:
		return 1 << 39
	case r.counts == nil:
		return -1
	}
	return (r.counts.Fatal+r.counts.Error)<<20 + r.counts.Warn
}

// shortProblems are what can be wrong with a file, for a column.
var shortProblems = []struct {
	kind error
	text string
}{
	{data.ErrMissing, "no file"},
	{data.ErrDirectory, "a folder"},
	{data.ErrEmpty, "empty"},
	{data.ErrPermission, "no permission"},
	{data.ErrNotSQLite, "not SQLite"},
	{data.ErrNotLCM, "no LCM tables"},
	{data.ErrUnfinished, "unfinished"},
	{data.ErrIncomplete, "incomplete"},
	{data.ErrDamaged, "damaged"},
	{data.ErrLocked, "locked"},
}

func shortProblem(err error) string {
	for _, p := range shortProblems {
		if errors.Is(err, p.kind) {
			return p.text
		}
	}
	return "unreadable"
}

// details returns lines on the database under the cursor, and a line above them, as many as there
// is room for.
func (d *Databases) details(width, height int) []string {
	r, ok := d.list.Selected()
	if !ok || height < 12 {
		return nil
	}
	s := d.env.Styles
	lines := []string{s.Faint.Render(strings.Repeat("─", width)), " " + s.Title.Render(ui.CutMiddle(ui.Line(r.Path), width-2))}
	add := func(name, text string) {
		for i, line := range strings.Split(ansi.Wrap(text, max(1, width-12), " "), "\n") {
			if i > 0 {
				name = ""
			}
			if text != "" {
				lines = append(lines, ui.Cut(" "+s.Muted.Render(ui.Pad(name, 10))+line, width))
			}
		}
	}
	add("found", d.foundAs(r))
	add("copy", d.copySentence(r))
	add("health", d.healthSentence(r))
	add("growth", growthSentence(r))
	add("in use", inUse(r))
	add("same file", views.ShortenHome(ui.Line(strings.Join(r.SameFile, ", "))))
	if n := len(d.problems); n > 0 {
		add("! places", ui.Line(views.ShortenHome(d.problems[0].Error())))
	}
	return lines[:min(len(lines), height/2)]
}

// foundAs says whose place the database has, and when its file was written.
func (d *Databases) foundAs(r *databaseRow) string {
	text := ui.Line(views.FirstNonEmpty(r.Program, "named by "+r.Found))
	if r.Program != "" && r.Found != r.Program {
		text += ", " + ui.Line(views.ShortenHome(r.Found))
	}
	if r.Default {
		text += ", opened by default"
	}
	if !r.Modified.IsZero() {
		text += "; file written " + views.Ago(r.Modified, d.env.Now())
	}
	return text
}

// healthSentence says what is known of the database's health.
func (d *Databases) healthSentence(r *databaseRow) string {
	switch {
	case r.err != nil:
		return withHint(r.err)
	case r.overview == nil:
		return "it is being read"
	case len(r.overview.Warnings) > 0:
		return withHint(r.overview.Warnings[0])
	case r.overview.Kind.Relative:
		return ui.Line(r.overview.Kind.Note)
	case r.checkErr != nil:
		return "the check failed: " + ui.Line(data.ProblemOf(r.checkErr))
	case r.counts == nil && r.Bytes > maxUnaskedCheck:
		return "not checked, because the file is large; the key h checks it once it is open"
	case r.counts == nil:
		return "not checked yet"
	}
	return views.CheckedSentence(*r.counts)
}

// withHint returns what an error says, and the next step.
func withHint(err error) string {
	text := ui.Line(data.ProblemOf(err))
	if next := hint.OnScreen(err); next != "" {
		text += "; " + ui.Line(next)
	}
	return text
}

// growthSentence says how fast the file grows, and how that is known.
func growthSentence(r *databaseRow) string {
	if r.overview == nil || r.overview.Messages == 0 {
		return ""
	}
	g := r.overview.Growth
	within := plural.Count(int(g.Within.Hours()/24), "day", "days")
	if g.Within < 48*time.Hour {
		within = plural.Count(int(g.Within.Hours()), "hour", "hours")
	}
	if g.Messages == 0 {
		return "no message in the last " + within
	}
	return fmt.Sprintf("about %s a day: %s in the last %s, %s of the file for each", ui.Size(g.PerDay),
		plural.Count(g.Messages, "message", "messages"), within, ui.Size(r.Bytes/r.overview.Messages))
}

// inUse says which programs have the file open.
func inUse(r *databaseRow) string {
	if r.overview == nil || len(r.overview.OpenIn) == 0 {
		return ""
	}
	return "open in " + ui.Line(strings.Join(r.overview.OpenIn, ", "))
}
