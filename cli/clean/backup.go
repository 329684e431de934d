package clean

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/pagestream"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/work"
)

// backupResult is the result of backup.
type backupResult struct {
	data.BackupResult
	cli.WarningList
}

func backupCommand(a *cli.App) *cobra.Command {
	to, since := cli.TextFlag{Noun: "FILE"}, cli.TextFlag{Noun: "STAMP"}
	cmd := a.Command(cli.GroupCare, "backup", "Copy the database and verify the copy", func(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
		db, err := c.Open(ctx)
		if err != nil {
			return nil, err
		}
		if to.Value == toOutput {
			return nil, sendPages(ctx, c, db, since.Value)
		}
		if since.Value != "" {
			return nil, cli.UsageErrorf("--since is for --to -: a backup always holds everything")
		}
		return backUp(ctx, c, db, to.Value)
	})
	cmd.Long = `Copies the database as it is at this moment, while agents go on writing, and verifies the
copy: an integrity check, and the rows of every table.

Writes one new file, and never over a file that exists. --to - writes to standard output
instead, as a stream of pages that lcm-tui fleet pull on another machine reads; with --since
only the pages that changed since that copy.`
	cmd.Example = "  lcm-tui backup\n  lcm-tui backup --to before-cleanup.db"
	cmd.Flags().Var(&to, "to", "the new file (default: beside the database, named by the time); - is standard output")
	cmd.Flags().Var(&since, "since", "with --to -: the stamp of the copy that the other machine has")
	return cmd
}

// toOutput is the file that stands for standard output.
const toOutput = "-"

// sendPages writes the database to standard output as a stream of pages. What is kept for the next
// stream lies beside what hooks note.
func sendPages(ctx context.Context, c *cli.Invocation, db *data.DB, since string) error {
	if c.Opts.JSON {
		return cli.UsageErrorf("--json has no effect with --to -: what is written are pages")
	}
	if cli.IsTerminal(c.Sys.Out) {
		return cli.UsageErrorf("--to - writes pages, which a terminal can't show: send it into a pipe or a file")
	}
	folder := ""
	if state := openclaw.OwnState(c.Sys.Env); state != "" {
		folder = filepath.Join(work.Folder(state, db.Path()), "sent")
	}
	_, err := pagestream.Send(ctx, db, pagestream.Sending{Since: since, Folder: folder}, c.Sys.Out)
	return err
}

func backUp(ctx context.Context, c *cli.Invocation, db *data.DB, to string) (cli.Result, error) {
	if to == "" {
		r, err := data.BackupNumbered(ctx, db, db.BackupPath(), c.Progress())
		return &backupResult{BackupResult: r}, err
	}
	to, err := c.NewFile(db, to)
	if err != nil {
		return nil, err
	}
	r, err := db.Backup(ctx, to, c.Progress())
	if errors.Is(err, data.ErrExists) {
		return nil, cli.ExistsError(err)
	}
	return &backupResult{BackupResult: r}, err
}

func (b *backupResult) Print(p *cli.Printer) {
	p.Line("backup  " + ui.Line(b.Path))
	rows := int64(0)
	for _, n := range b.Tables {
		rows += n
	}
	p.Linef("size    %s", ui.Size(b.Bytes))
	p.Linef("checked the integrity of the file, and %s in %s", plural.Count(rows, "row", "rows"),
		plural.Count(len(b.Tables), "table", "tables"))
}
