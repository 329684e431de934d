package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/ops"
)

func (a *app) undo() *cobra.Command {
	var u undoing
	cmd := a.command(groupChange, "undo [ID]", "Take back a change of this program", u.run)
	cmd.Long = `Takes back the newest change that isn't undone, or the one of a record's id: every row
that it changed becomes what it was. What a host has appended since stays behind it; where
a host may be at work, context items keep their order but not always their ordinals.
Refuses where those rows changed since, and names the later record that did it.
Writes at once, for the change was seen before; --dry-run only shows it.`
	cmd.Example = "  lcm-tui undo\n  lcm-tui undo 12 --dry-run"
	cmd.Flags().BoolVar(&u.dry, "dry-run", false, "only show what would be taken back")
	cmd.Flags().BoolVar(&u.apply, "apply", false, "take it back, which is the rule anyway")
	bindForce(cmd.Flags(), &u.force)
	u.conv.noun = "CONV"
	cmd.Flags().Var(&u.conv, "conversation", "the newest change of this conversation that isn't undone")
	return cmd
}

// undoing is the flags of undo.
type undoing struct {
	dry, apply, force bool
	conv              words
}

// newest is the newest record that isn't undone, or that of a conversation.
func (u *undoing) newest(ctx context.Context, c *call) (int64, error) {
	if u.conv.value == "" {
		last, err := c.db.Last(ctx)
		return last.ID, err
	}
	all, err := c.db.History(ctx)
	if err != nil {
		return 0, err
	}
	if all, err = c.recordsOf(ctx, all, u.conv.value); err != nil {
		return 0, err
	}
	for _, r := range all {
		if !r.Undone() {
			return r.ID, nil
		}
	}
	return 0, data.ErrNoRecord
}

func (u *undoing) run(ctx context.Context, c *call) (result, error) {
	id, err := c.recordID()
	if err != nil {
		return nil, err
	}
	db, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	if id == 0 {
		if id, err = u.newest(ctx, c); err != nil {
			return nil, err
		}
	}
	before, changes, err := db.RecordChanges(ctx, id)
	if err != nil {
		return nil, err
	}
	if u.dry {
		return &recordList{Records: []record{{before, data.Invert(changes)}}}, nil
	}
	undo := ops.Undo
	if u.force {
		undo = ops.ForceUndo
	}
	if err := undo(ctx, db, id); err != nil {
		return nil, err
	}
	after, _, err := db.RecordChanges(context.WithoutCancel(ctx), id)
	if err != nil { // It is undone all the same.
		c.caveats = append(c.caveats, err)
		after = before
	}
	return &recordList{Undone: &id, Records: []record{{Record: after}}}, nil
}
