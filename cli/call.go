package cli

import (
	"context"
	"errors"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change/losses"
	"lcm-tui/data/openclaw"
	"lcm-tui/internal/outcome"
	"lcm-tui/ops"
	"lcm-tui/work"
)

// Invocation is one run of a command.
type Invocation struct {
	*App
	Name            string // Of the command.
	Called          string // The name that was typed: an alias, or that of the command.
	Action          string // The word before the arguments, or empty.
	Args            []string
	DB              *data.DB
	Locations       openclaw.Locations
	CommandWarnings []error  // What didn't stop the command, beside the database's own.
	hasProgress     bool     // Progress stands on the terminal.
	WholeTexts      bool     // Texts that change are shown whole, not as what differs.
	PlanOut         TextFlag // Where the plan goes, and not into the database.
	Rows            bool     // Every row that changes is listed.
	// Quiet makes a result of finding nothing to do.
	Quiet    func(error) (Result, bool)
	Reported bool // The result itself tells of damage.
	// Outcome is what was changed so far.
	Outcome *outcome.Outcome
	Partial bool // The result is a part of what was asked for.
	// CoverageErrors are what hosts did to contexts since a time, by compactions that they had
	// begun before this program wrote.
	CoverageErrors func() []error
	WatchedSince   time.Time
	// Copies are those of other machines for which the command answers in one list; nil: it answers for the database.
	Copies []Copy
	// LockWait is how long reads wait for other programs' locks; 0 is as long as usual.
	LockWait time.Duration
}

// Open finds and opens the database. A configuration that can't be read stops it
// only where the database isn't found without.
func (c *Invocation) Open(ctx context.Context) (*data.DB, error) {
	if c.DB != nil {
		return c.DB, nil
	}
	locations, misconfigured := c.Locate()
	c.Locations = locations
	db, err := c.OpenFile(ctx, locations.Database)
	switch {
	case err != nil && misconfigured != nil:
		return nil, misconfigured
	case err != nil:
		return nil, c.withOthers(ctx, err)
	case misconfigured != nil:
		c.CommandWarnings = append(c.CommandWarnings, misconfigured)
	}
	if err := warnOfSummaries(c, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	c.DB = db
	c.WatchedSince = db.Now().Add(-lossWindow)
	c.CoverageErrors = func() []error {
		found, _ := losses.Errors(ctx, db, c.WatchedSince) // history and doctor report what can't be read.
		return found
	}
	return db, nil
}

// OpenFile opens a file or a replica, with the clock and the wait for locks that the run has.
func (c *Invocation) OpenFile(ctx context.Context, path string) (db *data.DB, err error) {
	switch wait := c.Opts.Wait; {
	case wait.IsSet:
		if db, err = data.OpenWaiting(ctx, path, wait.Value); err == nil {
			db.Wait = wait.Value
		}
	case c.LockWait > 0:
		db, err = data.OpenWaiting(ctx, path, c.LockWait)
	default:
		db, err = data.Open(ctx, path)
	}
	if err == nil && c.Sys.Now != nil {
		db.Now = c.Sys.Now
	}
	return db, err
}

// conversationWait is how long a command waits for the lock of a conversation that another process has.
const conversationWait = 5 * time.Second

// withLocks returns a context whose operations take the locks of their conversations. Without a folder for state
// there are none.
func (a *App) withLocks(ctx context.Context) context.Context {
	state := openclaw.OwnState(a.Sys.Env)
	if state == "" {
		return ctx
	}
	wait := conversationWait
	if a.Opts.Wait.IsSet {
		wait = a.Opts.Wait.Value
	}
	return ops.WithLocks(ctx, work.Locks{State: state, Wait: wait})
}

// lossWindow is how far back every command looks for messages that a host took out of a
// context by mistake. history and doctor look back without end.
const lossWindow = time.Hour

// Close closes the database, if it is open.
func (c *Invocation) Close() {
	if c.DB != nil {
		_ = c.DB.Close() // It only read.
	}
}

// warnings returns what went wrong without stopping the command.
func (c *Invocation) warnings() []error {
	if c.DB == nil {
		return c.CommandWarnings
	}
	all := append(slices.Clone(c.CommandWarnings), c.DB.Warnings()...)
	if c.CoverageErrors == nil {
		return all
	}
	return append(all, c.CoverageErrors()...)
}

// print prints the result, and then the warnings.
func (c *Invocation) print(r Result) error {
	if r != nil {
		if err := c.Emit(r, c.warnings()); err != nil {
			return err
		}
	}
	c.printWarnings()
	return nil
}

// printWarnings prints the warnings. After damage a result is there, but isn't whole.
func (c *Invocation) printWarnings() {
	for _, w := range c.warnings() {
		damaged := errors.Is(w, data.ErrDamaged)
		if damaged && c.Exit == ExitDone {
			c.Exit = ExitFailed
		}
		if !damaged || !c.Reported {
			printErrorWithNewHint(c.Sys.Err, "warning: ", w, c.hints)
		}
	}
}
