package hosts

import (
	"context"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/parallel"
)

func databasesCommand(a *cli.App) *cobra.Command {
	cmd := a.Command(cli.GroupBrowse, "databases", "List the databases of this machine", listDatabases)
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

// overviewsAtOnce is how many databases are read side by side.
const overviewsAtOnce = 4

func listDatabases(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	found := c.DiscoverAll(ctx)
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
	c.CommandWarnings = append(c.CommandWarnings, found.Problems...)
	if found.Unread {
		c.Exit = cli.ExitFailed
	}
	reportUnreadable(c, list)
	return list, nil
}

// reportUnreadable makes the run fail, beside its list, where a database that --db names can't be
// read.
func reportUnreadable(c *cli.Invocation, list *databaseList) {
	for _, r := range list.Databases {
		if r.Found == "--db" && r.err != nil {
			c.Exit = cli.ExitFailed
			c.CommandWarnings = append(c.CommandWarnings, r.err)
		}
	}
}
