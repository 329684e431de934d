package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// backupResult is the result of backup.
type backupResult struct {
	data.BackupResult
	warningList
}

func (a *app) backup() *cobra.Command {
	to := textFlag{noun: "FILE"}
	cmd := a.command(groupCare, "backup", "Copy the database and verify the copy", func(ctx context.Context, c *invocation) (result, error) {
		db, err := c.open(ctx)
		if err != nil {
			return nil, err
		}
		return c.backUp(ctx, db, to.value)
	})
	cmd.Long = `Copies the database as it is at this moment, while agents go on writing, and verifies the
copy: an integrity check, and the rows of every table.

Writes one new file, and never over a file that exists.`
	cmd.Example = "  lcm-tui backup\n  lcm-tui backup --to before-cleanup.db"
	cmd.Flags().Var(&to, "to", "the new file (default: beside the database, named by the time)")
	return cmd
}

func (c *invocation) backUp(ctx context.Context, db *data.DB, to string) (result, error) {
	if to == "" {
		r, err := db.BackupNumbered(ctx, db.BackupPath(), c.progress())
		return &backupResult{BackupResult: r}, err
	}
	to, err := c.newFile(db, to)
	if err != nil {
		return nil, err
	}
	r, err := db.Backup(ctx, to, c.progress())
	if errors.Is(err, data.ErrExists) {
		return nil, &existsError{err}
	}
	return &backupResult{BackupResult: r}, err
}

func (b *backupResult) Print(p *printer) {
	p.line("backup  " + ui.Line(b.Path))
	rows := int64(0)
	for _, n := range b.Tables {
		rows += n
	}
	p.linef("size    %s", ui.Size(b.Bytes))
	p.linef("checked the integrity of the file, and %s in %s", plural.Count(rows, "row", "rows"),
		plural.Count(len(b.Tables), "table", "tables"))
}
