package clean

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/space"
)

// spaceFlags is what space groups by, and which part of the groups it prints.
type spaceFlags struct {
	by     *cli.ChoiceFlag
	paging cli.Paging
}

func spaceCommand(a *cli.App) *cobra.Command {
	words := []string{}
	for _, by := range space.AllBy {
		words = append(words, string(by))
	}
	s := spaceFlags{by: cli.OneOf(string(space.ByTable), words...)}
	cmd := a.Command(cli.GroupCare, "space", "Show what fills the database", s.run)
	cmd.Long = `Measures the pages of every table and index, the free pages, the -wal, the copies that each
text has, and the files beside the database: large files with and without a row, backups, the
trash. Says how large the file would be once its free space is given back, to within one per
cent, and what each way of cleaning gives back.

The bytes of a conversation, an agent, a lane, a month or a kind of row are those of its rows
with their share of indexes and search tables.

Writes nothing.`
	cmd.Example = "  lcm-tui space\n  lcm-tui space --by conversation --limit 10\n  lcm-tui space --json --by month"
	cmd.Flags().Var(s.by, "by", "what the bytes are grouped by: table, conversation, agent, lane, month or kind")
	s.paging.Bind(cmd)
	return cmd
}

func (s *spaceFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	folders := space.Folders{LargeFiles: c.Locations.FilesDir, Trash: data.TrashFolder(db.Path()), Cache: cli.CacheFolder(c.Sys.Env)}
	progress := c.Progress()
	report, err := space.Read(ctx, db, folders, func(r *space.Report) { progress(int(r.Done), int(r.Total), "measuring") })
	if err != nil {
		return nil, err
	}
	progress(0, 0, "looking for what may go")
	if err := prune.Levers(ctx, db, report.Measurement, prune.LeverRequest{StateFolder: c.Locations.StateDir, FilesFolder: c.Locations.FilesDir}, report.AddLever); err != nil {
		return nil, err
	}
	by := space.By(s.by.Value)
	out := newSpaceResult(report, by)
	groups, next, err := cli.PageOf(&s.paging, report.Groups(by), func(g space.Group) string {
		if g.Conversation != 0 {
			return strconv.FormatInt(g.Conversation, 10)
		}
		return g.Name
	})
	for _, g := range groups {
		out.Groups = append(out.Groups, newSpaceGroup(g))
	}
	out.Next, out.limited = next, s.paging.Limit.IsSet
	return out, err
}
