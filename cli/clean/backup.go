package clean

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// backupResult is the result of backup.
type backupResult struct {
	data.BackupResult
	cli.WarningList
}

func backupCommand(a *cli.App) *cobra.Command {
	to := cli.TextFlag{Noun: "FILE"}
	cmd := a.Command(cli.GroupCare, "backup", "Copy the database and verify the copy", func(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
		db, err := c.Open(ctx)
		if err != nil {
			return nil, err
		}
		return backUp(ctx, c, db, to.Value)
	})
	cmd.Long = `Copies the database as it is at this moment, while agents go on writing, and verifies the
copy: an integrity check, and the rows of every table.

Writes one new file, and never over a file that exists.`
	cmd.Example = "  lcm-tui backup\n  lcm-tui backup --to before-cleanup.db"
	cmd.Flags().Var(&to, "to", "the new file (default: beside the database, named by the time)")
	return cmd
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
