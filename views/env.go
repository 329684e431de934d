package views

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/ask"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/search"
	"lcm-tui/engine/settings"
	"lcm-tui/ops"
	"lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// Env is what every screen is given: the database, what is known of its host, what models can be asked,
// and what the user does in this run of the program.
type Env struct {
	database
	host
	models
	session
	Screens *Screens
}

// database is the open file, and what is known of it.
type database struct {
	DB *data.DB
	// DatabaseName is what people call the file.
	DatabaseName string
	Files        string // The folder of large files.
	clock
	// Databases finds and opens other databases; nil where there is only this one.
	Databases *DatabaseSource
	// CanReopen says that the database can be opened again.
	CanReopen bool
	// WhileClosed takes work for the time between the end of the screens and their next start; nil where
	// there is no next start.
	WhileClosed func(ClosedWork)
	Disk        diskState
	knownHealth
	openings
	// What searches the database and checks the conversations of a list unasked; nil is the engine.
	Searches  SearchFunc
	CheckRows CheckFunc
}

// host is what is known of the program that writes the file.
type host struct {
	State string // Its folder, with its indexes of sessions; empty is unknown.
	// Locations are those of the host, with its configuration.
	Locations openclaw.Locations
	// Sessions are the folders in which session files may lie.
	Sessions []string
	// Settings finds the settings in force, off the update loop; nil where there are
	// none to show.
	Settings func() settings.Settings
	// Agents is what is known of coding agents, whose memory the file may be.
	Agents Agents
}

// models is what texts are made with.
type models struct {
	Cache string // The folder of cached answers of models; empty where there is none.
	// Model is what the command line chose for this run of the program. What its empty
	// fields leave open the environment and the configuration decide.
	Model choose.Choice
	// Summarizer finds what summaries are made with; nil where none can be made.
	Summarizer func(context.Context, choose.Choice) (Summarizer, error)
	// Models finds the model in force under a choice and those that can be chosen; nothing
	// is asked. It reads files, so only jobs call it. Nil where there are none.
	Models func(choose.Choice) Models
	// Asker finds what answers questions; nil is what quotes passages. Only jobs call it.
	Asker func(choose.Choice) (*ask.Asker, error)
	// Editor opens the user's own on a text; nil where there is none.
	Editor Editor
	handTexts
	ModelState modelState
}

// session is this run of the program.
type session struct {
	Jobs   *ui.Jobs
	Styles *ui.Styles
	// PlanFiles is what plans in files need; nil where there are none.
	PlanFiles *PlanFiles
	Version   string // Of this program.
	// Queries is the path of the file with the queries that were searched; empty keeps none.
	Queries string
	// Secrets is what the user decided on secrets.
	Secrets    secrets.Config
	Notice     tea.Msg       // What is said at the start, or nil.
	Marks      marks         // Conversations that the user marked.
	LastSearch ui.Screen     // It is opened again with its query; nil before the first.
	SearchRest time.Duration // How long a query must rest before it is searched.
	Idle       time.Duration // How long no key must be pressed before health is looked at unasked.
	zoom       zoom          // Of the lists.
}

// idle is so long that whoever goes through a list isn't slowed by checks.
const idle = 1500 * time.Millisecond

// NewEnv returns the Env of a run of the program, without its screens. Without a database the screens that
// need none can be shown.
func NewEnv(o Options, jobs *ui.Jobs, styles *ui.Styles) *Env {
	return &Env{
		database: database{DB: o.DB, DatabaseName: o.databaseName(), Files: o.Files, clock: clock{time.Now}, Databases: o.Databases, CanReopen: o.CanReopen, WhileClosed: o.WhileClosed},
		host:     host{State: o.Locations.StateDir, Locations: o.Locations, Sessions: o.Sessions, Settings: o.Settings, Agents: o.Agents},
		models:   models{Cache: o.Cache, Model: o.Model, Summarizer: o.Summarizer, Models: o.Models, Asker: o.Asker, Editor: o.Editor},
		session: session{
			Jobs: jobs, Styles: styles, PlanFiles: o.PlanFiles, Version: o.Version, Queries: o.User.Queries, Secrets: o.User.Secrets, Notice: o.Notice,
			Marks: marks{}, SearchRest: searchRest, Idle: idle,
		},
	}
}

// Read returns the Work of reading a message's worth of data.
func Read[T tea.Msg](fn func(ctx context.Context) (T, error)) ui.Work {
	return func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) { return fn(ctx) }
}

// Plan starts the planning of an operation, which ends in its review.
func (e *Env) Plan(owner any, op ops.Op) tea.Cmd {
	return e.Planned(owner, op.Name(), func(context.Context) (ops.Op, error) { return op, nil })
}

// Planned works as Plan for an operation that has to be found first.
func (e *Env) Planned(owner any, name string, find func(context.Context) (ops.Op, error)) tea.Cmd {
	return e.Jobs.Open(owner, "plan "+name, func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		op, err := find(ctx)
		if err != nil {
			return nil, err
		}
		review, err := e.Screens.Review(ctx, e, op, report)
		return ui.PushMsg{Screen: review}, err
	})
}

// CopyToClipboard puts text into the clipboard and says what it is.
func CopyToClipboard(text, what string) tea.Cmd {
	return tea.Batch(tea.SetClipboard(text), ui.Say(ui.StatusMsg{Text: "copied " + what, Kind: ui.Done}))
}

// FreshTail returns what the host keeps as it is.
func (e *Env) FreshTail() assemble.Tail {
	set, ok := e.KnownSettings()
	if !ok {
		return assemble.Tail{Count: assemble.DefaultFreshTail}
	}
	a := set.Assembly()
	return assemble.Tail{Count: int(a.FreshTailCount), MaxTokens: a.FreshTailMaxTokens}
}

// Limits returns what a check goes by.
//
// It reads files, so only jobs call it.
func (e *Env) Limits() integrity.Limits {
	set, ok := e.KnownSettings()
	if !ok {
		return integrity.Limits{}
	}
	return integrity.LimitsOf(set)
}

// DatabaseSource is how the screens find the databases of this machine, and open one of them.
type DatabaseSource struct {
	// Find lists them. It looks at the disk, so only jobs call it.
	Find func(context.Context) openclaw.Discovery
	// Choose says which one is opened after Run has ended with ErrReopen.
	Choose func(openclaw.Database)
	// Demo has the demonstration opened at the next start of the screens; nil where there is none.
	Demo func()
	// Machines are the copies of other machines' databases; nil where none are kept.
	Machines *Machines
	// Sources lists the databases of the replicas that are known here, of which some may not answer; nil where none can be known.
	Sources func(context.Context) ([]Machine, error)
}

// SearchFunc searches a query and reports what it finds to emit, until it is done or ctx is.
type SearchFunc func(ctx context.Context, q search.Query, order search.Sort, emit func(search.Event)) error

// searchRest is how long the query must rest before it is searched.
const searchRest = 80 * time.Millisecond
