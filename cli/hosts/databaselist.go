package hosts

import (
	"math"
	"slices"
	"strings"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// databaseList is the result of databases.
type databaseList struct {
	Databases []databaseRow   `json:"databases"`
	Searched  []searchedPlace `json:"searched"`
	cli.WarningList
	now time.Time
}

// searchedPlace is a place that was looked at for databases.
type searchedPlace struct {
	Where string `json:"where"`
	Path  string `json:"path"`
	Found int    `json:"found"`
}

// databaseRow is a database of this machine. What can't be read of it is null.
type databaseRow struct {
	Path       string  `json:"path"`
	Kind       *string `json:"kind"`
	Generation *string `json:"generation"`
	Bytes      int64   `json:"bytes"`
	// LastMessageAt is as it is stored; ModifiedAt is that of the file or its -wal.
	LastMessageAt data.Time `json:"last_message_at"`
	ModifiedAt    *string   `json:"modified_at"`
	Conversations *int64    `json:"conversations"`
	Messages      *int64    `json:"messages"`
	Growth        *growth   `json:"growth"`
	databasePlace
	// Problem says why it can't be read, Warnings what of it can't.
	Problem  *string  `json:"problem"`
	Hint     *string  `json:"hint"`
	Warnings []string `json:"warnings"`

	err      error
	kind     string
	modified time.Time
}

// databasePlace is where a database was found, and whose it is.
type databasePlace struct {
	Default  bool     `json:"default"`
	Program  *string  `json:"program"`
	Found    string   `json:"found"`
	StateDir *string  `json:"state_dir"`
	Project  *string  `json:"project"`
	SameFile []string `json:"same_file"`
	OpenIn   []string `json:"open_in"`
	Machine  *string  `json:"machine,omitempty"` // Of whose database it is a copy.
}

// growth is how fast a database grows.
type growth struct {
	BytesPerDay int64   `json:"bytes_per_day"`
	Messages    int64   `json:"messages"`
	Days        float64 `json:"days"`
}

func newDatabaseRow(db openclaw.Database) databaseRow {
	r := databaseRow{
		Path: db.Path, Bytes: db.Bytes, LastMessageAt: data.Time{Null: true},
		databasePlace: databasePlace{
			Default: db.Default, Program: cli.OrNull(db.Program),
			Found: db.Found, StateDir: cli.OrNull(db.StateDir), Project: cli.OrNull(db.Project), SameFile: cli.NonNil(db.SameFile), OpenIn: []string{}, Machine: cli.OrNull(db.Machine),
		},
		Warnings: []string{},
		kind:     db.Program, modified: db.Modified,
	}
	if !db.Modified.IsZero() {
		r.ModifiedAt = cli.OrNull(db.Modified.UTC().Format(time.RFC3339))
	}
	return r
}

// read takes the overview of the database, or why there is none.
func (r *databaseRow) read(o lcm.Overview, err error) {
	if r.err = err; err != nil {
		r.Problem = cli.OrNull(data.ProblemOf(err))
		r.Hint = cli.OrNull(hint.Of(err))
		return
	}
	r.Kind, r.Generation, r.kind = cli.OrNull(o.Kind.Name), cli.OrNull(o.Kind.Level), o.Kind.String()
	r.LastMessageAt, r.Conversations, r.Messages = o.LastMessageAt, &o.Conversations, &o.Messages
	r.Growth = &growth{o.Growth.PerDay, o.Growth.Messages, math.Round(o.Growth.Within.Hours()/24*100) / 100}
	r.OpenIn = cli.NonNil(o.OpenIn)
	for _, w := range o.Warnings {
		if text := data.ProblemOf(w); !slices.Contains(r.Warnings, text) {
			r.Warnings = append(r.Warnings, text)
		}
	}
}

func (l *databaseList) Print(p *cli.Printer) {
	if len(l.Databases) == 0 {
		p.Line("no database was found; it was looked for in")
		for _, s := range l.Searched {
			p.Line("  " + ui.Line(s.Path) + "  " + ui.Line(s.Where))
		}
		return
	}
	rows := make([][]string, len(l.Databases))
	projects := false
	for i, r := range l.Databases {
		project := ""
		if r.Project != nil {
			project, projects = ui.Line(*r.Project), true
		}
		name := ui.Line(r.Path)
		if r.Machine != nil {
			name = ui.Line(*r.Program)
		}
		rows[i] = []string{name, ui.Line(r.kind), r.size(), r.count(r.Messages), r.growth(), ui.Ago(r.newest(), l.now), r.state(), project}
	}
	columns := []cli.Column{
		{Title: "database", Grows: true},
		{Title: "kind"},
		{Title: "size", Right: true},
		{Title: "messages", Right: true, Spare: true},
		{Title: "growth", Right: true, Spare: true},
		{Title: "last", Right: true, Style: p.Styles.Muted},
		{Title: "state", Grows: true},
		{Title: "project", Grows: true, Spare: true},
	}
	if !projects {
		columns = columns[:len(columns)-1]
		for i := range rows {
			rows[i] = rows[i][:len(columns)]
		}
	}
	p.Table(columns, rows)
	p.Muted(plural.Count(len(rows), "database", "databases"))
}

// newest returns when the last message came, else when the file was written.
func (r databaseRow) newest() time.Time {
	if r.LastMessageAt.Valid() {
		return r.LastMessageAt.Time
	}
	return r.modified
}

func (r databaseRow) size() string {
	if r.modified.IsZero() {
		return "–"
	}
	return ui.Size(r.Bytes)
}

func (databaseRow) count(n *int64) string {
	if n == nil {
		return "–"
	}
	return ui.Num(*n)
}

func (r databaseRow) growth() string {
	switch {
	case r.Growth == nil:
		return "–"
	case r.Growth.BytesPerDay == 0:
		return "none"
	}
	return ui.Size(r.Growth.BytesPerDay) + "/day"
}

// state says why the database can't be read, else what is to be known of it.
func (r databaseRow) state() string {
	var words []string
	if r.Problem != nil {
		words = append(words, "! "+ui.Line(*r.Problem))
	}
	for _, w := range r.Warnings {
		words = append(words, "! "+ui.Line(w))
	}
	if r.Default {
		words = append(words, "opened by default")
	}
	if len(r.OpenIn) > 0 {
		words = append(words, "open in "+ui.Line(r.OpenIn[0]))
	}
	return strings.Join(words, ", ")
}
