package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/clients"
	"lcm-tui/clients/install"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
	"lcm-tui/fleet"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ui/userconfig"
	"lcm-tui/work"
)

// severalDatabases are the commands that take several --db.
var severalDatabases = map[string]bool{"databases": true}

// checkDatabases refuses several --db for a command that reads one database.
func (a *App) checkDatabases(cmd *cobra.Command) error {
	if n := len(a.Opts.DB.Values); n > 1 && !severalDatabases[cmd.Name()] {
		return UsageErrorf("%s takes one --db, not %d: %q and %q; %s databases takes several", cmd.Name(), n, a.Opts.DB.Values[0], a.Opts.DB.Values[1], Program)
	}
	return nil
}

// Discover finds the databases that are files on this machine, with those that --db names first. No server is asked.
func (a *App) Discover(ctx context.Context) openclaw.Discovery {
	folder, _ := a.Sys.Folder() // Without it no project around it is found.
	named, _ := namedDatabases(a)
	return openclaw.Discover(ctx, openclaw.Request{Named: named, StateDir: a.Opts.State.Value, WorkDir: folder, Env: a.Sys.Env, Copies: a.Fleet().Databases()})
}

// DiscoverAll works as Discover, and adds what replicas have: it waits for their servers.
func (a *App) DiscoverAll(ctx context.Context) openclaw.Discovery {
	found := a.Discover(ctx)
	a.AddReplicas(ctx, &found)
	return found
}

// Fleet returns the copies of other machines' databases.
func (a *App) Fleet() fleet.Store {
	return fleet.Below(openclaw.OwnState(a.Sys.Env), a.Sys.Now)
}

// Pulling returns how copies of other machines' databases are fetched where no flag says more.
func (a *App) Pulling() fleet.Options {
	const mostTime = 30 * time.Minute
	return fleet.Options{SSH: a.Sys.Env("LCM_TUI_SSH"), Timeout: mostTime}
}

// Locate finds the database that is to be opened: the one that was chosen on the screens, else
// that of the flags, the environment and the configuration.
func (a *App) Locate() (openclaw.Locations, error) {
	l, err := a.locate()
	if _, isCopy := data.CopyOf(l.Database); isCopy {
		l.FilesDir = "" // Its large files stay on the other machine: those in a folder of this one aren't its own.
	}
	return l, err
}

func (a *App) locate() (openclaw.Locations, error) {
	db := a.Chosen
	if where, address := replicaAddress(a, db); address != "" {
		return locateReplica(a, where, address)
	}
	if a.OwnDatabase {
		return openclaw.LocateOwn(a.Opts.Database(), a.Opts.State.Value, a.Sys.Env)
	}
	if db == nil {
		return openclaw.Locate(a.Opts.Database(), a.Opts.State.Value, a.Sys.Env)
	}
	env, state := a.Sys.Env, a.Opts.State.Value
	inForce, _ := openclaw.Locate("", state, env) // Its folder is known whatever its configuration says.
	if db.StateDir != "" && db.StateDir != inForce.StateDir {
		env, state = openclaw.WithoutConfigPath(env), db.StateDir
	}
	l, err := openclaw.Locate(db.Path, state, env)
	l.FilesDir = db.FilesDir
	l.Places = []openclaw.Place{{Where: "chosen among the databases", Value: db.Path}}
	return l, err
}

// withOthers adds to the error of opening a database that nobody named, and that isn't there,
// how many others there are.
func (c *Invocation) withOthers(ctx context.Context, err error) error {
	if !errors.Is(err, data.ErrMissing) || c.Opts.Database() != "" || c.isCompletion {
		return err
	}
	if c.OwnDatabase {
		return hint.Wrap(err, Program+" init makes it; --db FILE names another one")
	}
	if n := len(c.Discover(ctx).OfThisMachine()); n > 0 {
		others := plural.Count(n, "other database is", "other databases are") + " on this machine: "
		return &hint.Error{Next: others + Program + " databases lists them, --db FILE names one", OnScreen: others + "open one of them", Err: err}
	}
	return err
}

// QueriesFile returns the path of the file with the queries that were searched on the screens, in the
// user's folder for state. It is empty where none are to be kept, or there is no such folder.
func (a *App) QueriesFile() string {
	if a.Opts.noHistory {
		return ""
	}
	return a.stateFile("searches")
}

// stateFile returns the path of a file in this program's folder for state; it is empty where there is none.
func (a *App) stateFile(name string) string {
	folder := openclaw.OwnState(a.Sys.Env)
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, name)
}

// Clients returns where the clients on this machine keep their configuration.
func (a *App) Clients() install.Environment {
	e := install.Environment{
		Variable: a.Sys.Env, Home: openclaw.HomeFolder(a.Sys.Env), WorkDir: a.Sys.WorkDir, OS: runtime.GOOS, Receipts: a.stateFile("installed.json"),
	}
	if profile := a.Sys.Env("USERPROFILE"); e.OS == "windows" && profile != "" { // HOME is that of a shell.
		e.Home = profile
	}
	if e.WorkDir == "" {
		e.WorkDir, _ = os.Getwd() // Without it a project has no path, which is an error then.
	}
	return e
}

// Sessions returns the folders in which hosts keep their session files and the databases in which
// they keep their transcripts, or the place that was named.
func (a *App) Sessions(l openclaw.Locations) []string {
	if a.Opts.sessions.Value != "" {
		return []string{a.Opts.sessions.Value}
	}
	found := append(l.InAgents("sessions"), l.InAgents("agent", sessiondb.FileName)...)
	return append(found, clients.SessionFolders(a.Sys.Env)...)
}

// Receipts returns when hooks ran last, as it is noted beside the database that hooks write into. Without such notes
// none ran.
func (c *Invocation) Receipts(ctx context.Context) ([]work.Receipt, error) {
	own := *c.App
	own.OwnDatabase = true
	l, err := own.Locate()
	state := openclaw.OwnState(c.Sys.Env)
	if err != nil || state == "" || l.Database == "" {
		return nil, nil //nolint:nilerr // Without a database no hook has written.
	}
	notes, err := work.OpenToRead(ctx, work.Folder(state, l.Database))
	if notes == nil || err != nil {
		return nil, err
	}
	receipts, err := notes.Receipts(ctx)
	return receipts, errors.Join(err, notes.Close())
}

// NoteCheck notes beside the database what a check of all of it found: how many findings of each severity, and how many
// are errors or worse. It begins no notes where there are none, and what can't be noted is left out.
func (c *Invocation) NoteCheck(ctx context.Context, findings map[string]int, errs int) {
	state := openclaw.OwnState(c.Sys.Env)
	if state == "" {
		return
	}
	notes, err := work.OpenToRead(ctx, work.Folder(state, c.Locations.Database))
	if notes == nil || err != nil {
		return
	}
	_ = notes.Counts().NoteCheck(ctx, findings, errs)
	_ = notes.Close()
}

// StoredSessions returns how far session files are imported into the database that hooks write into, by path, and the
// ids of the sessions that it has. Without a database there are none.
func (c *Invocation) StoredSessions(ctx context.Context) (offsets map[string]int64, ids map[string]bool, err error) {
	offsets, ids = map[string]int64{}, map[string]bool{}
	own := &Invocation{App: &App{}, LockWait: c.LockWait}
	*own.App = *c.App
	own.OwnDatabase = true
	if l, err := own.Locate(); err != nil || !DatabaseExists(l.Database) {
		return offsets, ids, nil //nolint:nilerr // Nothing is imported.
	}
	db, err := own.Open(ctx)
	if err != nil {
		return offsets, ids, err
	}
	defer own.Close()
	if offsets, err = ImportedOffsets(ctx, own, db); err != nil {
		return offsets, ids, err
	}
	all, err := lcm.Conversations(ctx, db)
	for _, conv := range all {
		ids[conv.SessionID] = true
	}
	return offsets, ids, err
}

// ImportedOffsets returns how far session files are imported into the open database, by path.
func ImportedOffsets(ctx context.Context, c *Invocation, db *data.DB) (offsets map[string]int64, err error) {
	var notes *work.Sidecar
	if state := openclaw.OwnState(c.Sys.Env); state != "" && c.Locations.Database != "" {
		if notes, err = work.OpenToRead(ctx, work.Folder(state, c.Locations.Database)); err != nil {
			return nil, err
		}
	}
	imported, err := work.Imports(ctx, db, notes)
	if notes != nil {
		err = errors.Join(err, notes.Close())
	}
	offsets = map[string]int64{}
	for _, b := range imported {
		offsets[b.Path] = b.Offset
	}
	return offsets, err
}

// KeepsNothingOf returns what says of a session file that nothing of it is imported, because of the folder in which it
// ran: it reads the beginning of the file.
func KeepsNothingOf(ctx context.Context, env func(string) string) func(path string) bool {
	ignored, err := clients.ParseIgnored(userconfig.Load(userconfig.Path(env)).IgnoredFolders)
	if err != nil {
		return func(string) bool { return false } // The next import says it.
	}
	return func(path string) bool {
		f, err := transcript.Open(ctx, path)
		return err == nil && ignored.Has(f.Session.CWD)
	}
}

// HookLogFile returns the path of the file in which hooks note their runs. It is empty where there is no folder for it.
func (a *App) HookLogFile() string { return a.stateFile("hook.log") }
