package read

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
)

func infoCommand(a *cli.App) *cobra.Command {
	cmd := a.Command(cli.GroupBrowse, "info", "Show which database this is and its state", readInfo)
	cmd.Long = `Shows which database was found and where it was looked for, which host version wrote it, what
it holds, whether it can be changed, and what is wrong with it.

Writes nothing.`
	cmd.Example = "  lcm-tui info\n  lcm-tui info --json --db backup.db"
	return cmd
}

func readInfo(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	k, s, l := db.Kind(), db.Schema(), c.Locations
	i := &databaseInfo{
		Path: db.Path(), Kind: k.Name, Level: cli.OrNull(k.Level), Relative: k.Relative, Note: cli.OrNull(k.Note), Bytes: db.Size(),
		Writable: true, Tables: cli.NonNil(s.Tables()), Missing: cli.NonNil(s.Missing()), Search: cli.NonNil(s.FTS), Broken: cli.NonNil(s.BrokenFTS), Triggers: s.Triggers,
		infoPlaces: infoPlaces{State: l.StateDir, Files: l.FilesDir}, kind: k,
	}
	if err := db.Writable(); err != nil {
		i.Writable, i.Why = false, cli.OrNull(errorText(err))
	}
	for _, at := range l.Places {
		i.Looked = append(i.Looked, searchedPath{at.Where, cli.OrNull(at.Value)})
	}
	i.Others = otherDatabases(ctx, c, db.Path())
	if i.generationInfo, err = readGeneration(ctx, db); err != nil {
		return nil, err
	}
	if i.Rows, i.Coverage, err = countRows(ctx, db); err != nil {
		return nil, err
	}
	conf := c.HostSettings(nil)
	i.Host = newHostInfo(l.Plugin(), conf)
	c.WarnOfConfiguration(conf, k)
	return i, nil
}

// otherDatabases returns the databases of this machine beside the one at path.
func otherDatabases(ctx context.Context, c *cli.Invocation, path string) []otherDatabase {
	out := []otherDatabase{}
	for _, db := range c.Discover(ctx).Readable() {
		if db.Path != path && !slices.Contains(db.SameFile, path) {
			out = append(out, otherDatabase{db.Path, cli.OrNull(db.Program), cli.OrNull(db.Project)})
		}
	}
	return out
}

// errorText returns what an error has to say beyond what kind it is.
func errorText(err error) string {
	return cmp.Or(hint.Of(err), err.Error())
}

// countRows counts what indexes answer, and what summaries were made of.
func countRows(ctx context.Context, db *data.DB) (map[string]int64, *coverage, error) {
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	stats, err := lcm.AllStats(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	rows := map[string]int64{"conversations": int64(len(all)), "messages": 0, "summaries": 0, "context_items": 0, "large_files": 0}
	var inContexts int64
	for _, s := range stats {
		rows["messages"] += s.Messages
		rows["summaries"] += s.SummaryCount()
		rows["context_items"] += s.ContextItems
		rows["large_files"] += s.LargeFiles
		inContexts += s.ContextTokens
	}
	tokens, err := lcm.ReadSummarizedTokens(ctx, db, rows["messages"], inContexts)
	return rows, newCoverage(tokens), err
}
