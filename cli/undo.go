package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/ops"
)

func (a *app) undo() *cobra.Command {
	cmd := a.command(groupChange, "undo [ID]", "Take back a change of this program", undo)
	cmd.Long = "Takes back the newest change that isn't undone, or the one of a record's id: every row\nbecomes what it was, byte for byte. Refuses where rows changed since. Writes at once."
	cmd.Example = "  lcm-tui undo\n  lcm-tui undo 12"
	return cmd
}

func undo(ctx context.Context, c *call) (result, error) {
	id, err := c.recordID()
	if err != nil {
		return nil, err
	}
	db, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	if id == 0 {
		last, err := db.Last(ctx)
		if err != nil {
			return nil, err
		}
		id = last.ID
	}
	if err := ops.Undo(ctx, db, id); err != nil {
		return nil, err
	}
	r, err := undone(ctx, db, id)
	return &recordList{Undone: &id, Records: []record{{Record: r}}}, err
}

// undone is the record as it stands after it was taken back.
func undone(ctx context.Context, db *data.DB, id int64) (data.Record, error) {
	r, _, err := db.RecordChanges(ctx, id)
	return r, err
}
