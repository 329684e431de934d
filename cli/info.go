package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

func (a *app) info() *cobra.Command {
	cmd := a.command(groupBrowse, "info", "Show which database this is and its state", readInfo)
	cmd.Aliases = []string{"status"}
	cmd.Long = `Shows which database was found and where it was looked for, which host version wrote it, what
it holds, whether it can be changed, and what is wrong with it.

Writes nothing.`
	cmd.Example = "  lcm-tui info\n  lcm-tui info --json --db backup.db"
	return cmd
}

func readInfo(ctx context.Context, c *invocation) (result, error) {
	db, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	k, s, l := db.Kind(), db.Schema(), c.locations
	i := &databaseInfo{
		Path: db.Path(), Kind: k.Name, Level: orNull(k.Level), Relative: k.Relative, Note: orNull(k.Note), Bytes: db.Size(),
		Writable: true, Tables: nonNil(s.Tables()), Missing: nonNil(s.Missing()), Search: nonNil(s.FTS), Broken: nonNil(s.BrokenFTS), Triggers: s.Triggers,
		State: l.StateDir, Files: l.FilesDir, kind: k,
	}
	if err := db.Writable(); err != nil {
		i.Writable, i.Why = false, orNull(errorText(err))
	}
	for _, at := range l.Places {
		i.Looked = append(i.Looked, searchedPath{at.Where, orNull(at.Value)})
	}
	i.Others = c.otherDatabases(ctx, db.Path())
	if i.generationInfo, err = readGeneration(ctx, db); err != nil {
		return nil, err
	}
	i.Rows, err = countRows(ctx, db)
	return i, err
}

// otherDatabases are the databases of this machine beside the one at path.
func (c *invocation) otherDatabases(ctx context.Context, path string) []otherDatabase {
	out := []otherDatabase{}
	for _, db := range c.discover(ctx).Readable() {
		if db.Path != path && !slices.Contains(db.SameFile, path) {
			out = append(out, otherDatabase{db.Path, orNull(db.Program), orNull(db.Project)})
		}
	}
	return out
}

// errorText is what an error has to say beyond what kind it is.
func errorText(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) && h.Hint() != "" {
		return h.Hint()
	}
	return err.Error()
}

// countRows counts what indexes answer.
func countRows(ctx context.Context, db *data.DB) (map[string]int64, error) {
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return nil, err
	}
	stats, err := lcm.AllStats(ctx, db)
	rows := map[string]int64{"conversations": int64(len(all)), "messages": 0, "summaries": 0, "context_items": 0, "large_files": 0}
	for _, s := range stats {
		rows["messages"] += s.Messages
		rows["summaries"] += s.SummaryCount()
		rows["context_items"] += s.ContextItems
		rows["large_files"] += s.LargeFiles
	}
	return rows, err
}
