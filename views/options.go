package views

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/ask"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// Options say what the UI opens.
type Options struct {
	DB *data.DB // Nil where none could be opened.
	FileLabel
	NotOpened
	Files     string   // The folder of large files.
	Cache     string   // The folder of cached answers of models; empty where there is none.
	Sessions  []string // The folders in which session files may lie.
	Locations openclaw.Locations
	Version   string
	ModelOptions
	// Editor opens the user's own on a text; it may be nil.
	Editor Editor
	// Settings finds the settings in force; it may be nil.
	Settings func() settings.Settings
	// CanReopen says that Run may end with ErrReopen.
	CanReopen bool
	// WhileClosed takes work that is to be done after Run has ended with ErrReopen and the database is
	// closed, before it is opened again; nil where nobody does it.
	WhileClosed func(ClosedWork)
	// Notice is said at the start, such as what became of that work; nil says nothing.
	Notice tea.Msg
	// Databases finds and opens other databases; nil where there is only this one.
	Databases *DatabaseSource
	// PlanFiles is what plans in files need; nil where there are none.
	PlanFiles *PlanFiles
	// User is what the user chose, and what is kept for them.
	User UserOptions
	// Agents is what is known of coding agents, whose memory the file may be.
	Agents Agents
	// Choice are the databases among which the user chooses first; DB is nil then. Nil begins
	// with DB.
	Choice *openclaw.Discovery
}

// ModelOptions are the models that the screens can ask.
type ModelOptions struct {
	// Model is the model that the flags choose for this run; see Env.
	Model choose.Choice
	// Summarizer finds what summaries are made with; it may be nil.
	Summarizer func(context.Context, choose.Choice) (Summarizer, error)
	// Models finds the model in force and those that can be chosen; it may be nil.
	Models func(choose.Choice) Models
	// Asker finds what answers questions; it may be nil.
	Asker func(choose.Choice) (*ask.Asker, error)
}

// Agents is what is known of coding agents on this machine. The zero value is nothing.
type Agents struct {
	// Notes is the folder in which is noted, beside the database, what hooks did; empty where there is none.
	Notes string
	// Clients are the coding agents that keep session files.
	Clients []AgentClient
	// Ignores says of the working folder of a session that nothing of it is kept; nil ignores none.
	Ignores func(folder string) bool
	// Model makes the summaries that nobody asked for, with at most so many calls a day, for so many US dollars.
	Model   string
	Calls   int
	Dollars float64
	// Run runs a command of this program on the database, and returns what it printed; nil where that can't be.
	Run func(ctx context.Context, args ...string) (string, error)
	// Own says that the database is the one that this program keeps for coding agents. Another one may be a host's.
	Own bool
	// Refresh is how often what they do is read again while it is shown; 0 is never.
	Refresh time.Duration
}

// AskBeforeImport returns the question before sessions are imported into a database that isn't this program's own, which
// a second press of the key answers. It is empty where nothing is asked.
func (a Agents) AskBeforeImport(key string) string {
	if a.Own {
		return ""
	}
	return "this database isn't lcm-tui's own: " + key + " again imports the sessions of coding agents into it"
}

// AgentClient is a coding agent.
type AgentClient struct {
	Name     string
	Sessions string // The folder of its session files.
	// KeptDays says after how many days without a write it deletes a session file; 0 is never. It reads files, so only
	// jobs call it.
	KeptDays func() int
}

// FileLabel is what the screens call the file.
type FileLabel struct {
	Name string // Empty is DatabaseName of its path.
	Note string // What is said of it beside its size.
}

// NotOpened says why there is no database.
type NotOpened struct {
	Err      error
	Searched []openclaw.Searched // The places of other programs where databases were looked for.
}

// UserOptions are what a user chose for the screens, and what is kept for them.
type UserOptions struct {
	Keymap  ui.Keymap // Nil is none.
	Colors  ui.Colors // Nil is none.
	Warning string    // What is wrong with these; it is said at the start.
	Queries string    // The path of the file with the queries that were searched; empty keeps none.
	Secrets secrets.Config
}

// ErrReopen is the end of Run where the user wants the database opened again, such as after
// another file was put in its place.
var ErrReopen = errors.New("open the database again")
