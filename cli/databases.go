package cli

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/internal/parallel"
	"lcm-tui/internal/plural"
)

func (a *app) databases() *cobra.Command {
	cmd := a.command(groupBrowse, "databases", "List the databases of this machine", listDatabases)
	cmd.Aliases = []string{"dbs"}
	cmd.Long = `Lists every lcm.db that is found on this machine: of OpenClaw and its profiles, of Pi, NanoClaw,
lossless-claude and Hermes. Of each it shows what wrote it, its size, its newest message, how
fast it grows, and why it can't be read if it can't. The first one is opened where no --db is
given; the others follow by their newest write. --db adds a file; several list these only.

Growth is the number of messages of the last 7 days, a day, times the bytes of the file for each
message.

Writes nothing.`
	cmd.Example = "  lcm-tui databases\n  lcm-tui databases --json\n  lcm-tui databases --db old.db --db new.db"
	return cmd
}

// severalDatabases are the commands that take several --db.
var severalDatabases = map[string]bool{"databases": true}

// checkDatabases refuses several --db for a command that reads one database.
func (a *app) checkDatabases(cmd *cobra.Command) error {
	if n := len(a.opts.db.values); n > 1 && !severalDatabases[cmd.Name()] {
		return usageErrorf("%s takes one --db, not %d: %q and %q; %s databases takes several", cmd.Name(), n, a.opts.db.values[0], a.opts.db.values[1], program)
	}
	return nil
}

// discover finds the databases of this machine, with those that --db names first.
func (a *app) discover(ctx context.Context) openclaw.Discovery {
	folder := a.sys.WorkDir
	if folder == "" {
		folder, _ = os.Getwd() // Without it no project around it is found.
	}
	return openclaw.Discover(ctx, openclaw.Request{Named: a.opts.db.values, StateDir: a.opts.state.value, WorkDir: folder, Env: a.sys.Env})
}

// locate finds the database that is to be opened: the one that was chosen on the screens, else
// that of the flags, the environment and the configuration.
func (a *app) locate() (openclaw.Locations, error) {
	db := a.chosen
	if db == nil {
		return openclaw.Locate(a.opts.database(), a.opts.state.value, a.sys.Env)
	}
	env, state := a.sys.Env, a.opts.state.value
	inForce, _ := openclaw.Locate("", state, env) // Its folder is known whatever its configuration says.
	if db.StateDir != "" && db.StateDir != inForce.StateDir {
		env, state = openclaw.WithoutConfigPath(env), db.StateDir
	}
	l, err := openclaw.Locate(db.Path, state, env)
	l.FilesDir = db.FilesDir
	l.Places = []openclaw.Place{{Where: "chosen among the databases", Value: db.Path}}
	return l, err
}

// overviewsAtOnce is how many databases are read side by side.
const overviewsAtOnce = 4

func listDatabases(ctx context.Context, c *invocation) (result, error) {
	found := c.discover(ctx)
	list := &databaseList{Databases: make([]databaseRow, len(found.Databases)), Searched: []searchedPlace{}, now: time.Now()}
	for _, s := range found.Searched {
		list.Searched = append(list.Searched, searchedPlace{s.Where, s.Path, s.Found})
	}
	for i, db := range found.Databases {
		list.Databases[i] = newDatabaseRow(db)
	}
	var wg parallel.Group
	var mu sync.Mutex
	next := 0
	for range min(overviewsAtOnce, len(found.Databases)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(list.Databases) {
					return
				}
				o, err := lcm.ReadOverview(ctx, found.Databases[i].Path, list.now)
				list.Databases[i].read(o, err)
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.commandWarnings = append(c.commandWarnings, found.Problems...)
	c.reportUnreadable(list)
	return list, nil
}

// reportUnreadable makes the run fail, beside its list, where a database that --db names can't be
// read.
func (c *invocation) reportUnreadable(list *databaseList) {
	for _, r := range list.Databases {
		if r.Found == "--db" && r.err != nil {
			c.exit = exitFailed
			c.commandWarnings = append(c.commandWarnings, r.err)
		}
	}
}

// hintOf is the next step that an error names, or empty.
func hintOf(err error) string {
	var h interface{ Hint() string }
	if !errors.As(err, &h) {
		return ""
	}
	return h.Hint()
}

// elsewhereError says that there is no database where it was looked for, and that there are
// others.
type elsewhereError struct {
	error
	others int
}

// Unwrap gives the cause.
func (e *elsewhereError) Unwrap() error { return e.error }

// Hint says how to find them.
func (e *elsewhereError) Hint() string {
	return plural.Count(e.others, "other database is", "other databases are") + " on this machine: " + program + " databases lists them, --db FILE names one"
}

// ScreenHint is Hint for screens.
func (e *elsewhereError) ScreenHint() string {
	return plural.Count(e.others, "other database is", "other databases are") + " on this machine: open one of them"
}

// withOthers adds to the error of opening a database that nobody named, and that isn't there,
// how many others there are.
func (c *invocation) withOthers(ctx context.Context, err error) error {
	if !errors.Is(err, data.ErrMissing) || c.opts.database() != "" || c.isCompletion {
		return err
	}
	if n := len(c.discover(ctx).Readable()); n > 0 {
		return &elsewhereError{err, n}
	}
	return err
}
