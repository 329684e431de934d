package cli

import (
	"context"
	"errors"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/openclaw"
)

// invocation is one run of a command.
type invocation struct {
	*app
	name            string // Of the command.
	action          string // The word before the arguments, or empty.
	args            []string
	DB              *data.DB
	locations       openclaw.Locations
	commandWarnings []error  // What didn't stop the command, beside the database's own.
	hasProgress     bool     // Progress stands on the terminal.
	wholeTexts      bool     // Texts that change are shown whole, not as what differs.
	planOut         textFlag // Where the plan goes, and not into the database.
	rows            bool     // Every row that changes is listed.
	// quiet makes a result of finding nothing to do.
	quiet    func(error) (result, bool)
	reported bool    // The result itself tells of damage.
	records  []int64 // That it wrote.
	partial  bool    // The result is a part of what was asked for.
	// coverageErrors are what hosts did to contexts since a time, by compactions that they had
	// begun before this program wrote.
	coverageErrors func() []error
	watchedSince   time.Time
	// lockWait is how long reads wait for other programs' locks; 0 is as long as usual.
	lockWait time.Duration
}

// open finds and opens the database. A configuration that can't be read stops it
// only where the database isn't found without.
func (c *invocation) open(ctx context.Context) (*data.DB, error) {
	if c.DB != nil {
		return c.DB, nil
	}
	locations, misconfigured := c.locate()
	c.locations = locations
	db, err := c.openFile(ctx, locations.Database)
	switch {
	case err != nil && misconfigured != nil:
		return nil, misconfigured
	case err != nil:
		return nil, c.withOthers(ctx, err)
	case misconfigured != nil:
		c.commandWarnings = append(c.commandWarnings, misconfigured)
	}
	c.DB = db
	c.watchedSince = db.Now().Add(-lossWindow)
	c.coverageErrors = func() []error {
		found, _ := change.CoverageErrors(ctx, db, c.watchedSince) // history and doctor report what can't be read.
		return found
	}
	return db, nil
}

// openFile opens a file, with the wait for locks that the run has.
func (c *invocation) openFile(ctx context.Context, path string) (*data.DB, error) {
	if c.lockWait > 0 {
		return data.OpenWaiting(ctx, path, c.lockWait)
	}
	return data.Open(ctx, path)
}

// lossWindow is how far back every command looks for messages that a host took out of a
// context by mistake. history and doctor look back without end.
const lossWindow = time.Hour

func (c *invocation) close() {
	if c.DB != nil {
		_ = c.DB.Close() // It only read.
	}
}

// warnings are what went wrong without stopping the command.
func (c *invocation) warnings() []error {
	if c.DB == nil {
		return c.commandWarnings
	}
	all := append(slices.Clone(c.commandWarnings), c.DB.Warnings()...)
	if c.coverageErrors == nil {
		return all
	}
	return append(all, c.coverageErrors()...)
}

// print prints the result, and then the warnings.
func (c *invocation) print(r result) error {
	if r != nil {
		if err := c.emit(r, c.warnings()); err != nil {
			return err
		}
	}
	c.printWarnings()
	return nil
}

// printWarnings prints the warnings. After damage a result is there, but isn't whole.
func (c *invocation) printWarnings() {
	for _, w := range c.warnings() {
		damaged := errors.Is(w, data.ErrDamaged)
		if damaged && c.exit == exitDone {
			c.exit = exitFailed
		}
		if !damaged || !c.reported {
			printErrorWithNewHint(c.sys.Err, "warning: ", w, c.hints)
		}
	}
}
