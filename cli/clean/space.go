package clean

import (
	"cmp"
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/parallel"
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

A home has the sizes of the server's tables, and a replica that of the file on its machine,
shared by the bytes of rows. There are no pages to count, and nothing is cleaned.

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
	request := prune.LeverRequest{StateFolder: c.Locations.StateDir, FilesFolder: c.Locations.FilesDir}
	report, err := readSpace(ctx, db, folders, request, c.Progress())
	if err != nil {
		return nil, err
	}
	by := space.By(s.by.Value)
	out := newSpaceResult(report, by)
	out.anchored = db.Kind().Generation == data.GenerationOne
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

// readSpace measures a file, and looks at the same time for what may go.
func readSpace(ctx context.Context, db *data.DB, folders space.Folders, r prune.LeverRequest, progress data.Report) (*space.Report, error) {
	leverCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	measured := make(chan *space.Measurement, 1)
	wait := func() (*space.Measurement, error) {
		select {
		case m := <-measured:
			return m, nil
		case <-leverCtx.Done():
			return nil, leverCtx.Err()
		}
	}
	var levers []space.Lever
	var leverErr error
	var work parallel.Group
	work.Go(func() {
		leverErr = prune.Levers(leverCtx, db, wait, r, func(l space.Lever) { levers = append(levers, l) })
	})
	report, err := space.Read(ctx, db, folders, func(r *space.Report) { progress(int(r.Done), int(r.Total), "measuring") })
	if err != nil {
		cancel()
	} else {
		measured <- report.Measurement
		progress(0, 0, "looking for what may go")
	}
	work.Wait()
	if err := cmp.Or(err, leverErr); err != nil {
		return nil, err
	}
	for _, l := range levers {
		report.AddLever(l)
	}
	return report, nil
}
