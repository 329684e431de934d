package change

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/change"
	"lcm-tui/ops"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ops/undo"
)

func undoCommand(a *cli.App) *cobra.Command {
	u := &revertFlags{last: change.LastApplied}
	cmd := a.Command(cli.GroupChange, "undo [ID]", "Undo a change that lcm-tui made", u.undo)
	cmd.Long = `Undoes the newest change that is not undone, or the record with this ID: every row that it
changed becomes what it was. What a host has appended since stays behind it; while another
process has the file open, context items keep their order but not their ordinals. If a row
has changed since, nothing is undone, and the later record that changed it is named.

Writes at once, because the change was seen before; --dry-run only shows it.`
	cmd.Example = "  lcm-tui undo\n  lcm-tui undo 12 --dry-run"
	u.bind(cmd, "undo")
	return cmd
}

func redoCommand(a *cli.App) *cobra.Command {
	u := &revertFlags{last: change.LastUndone}
	cmd := a.Command(cli.GroupChange, "redo [ID]", "Redo a change that was undone", u.redo)
	cmd.Long = `Redoes the change that was undone last, or the record with this ID. It is written as a new
record, which lcm-tui undo undoes again. If a row is not as the undo left it, nothing is
redone, and the row is named, or the record that has to be redone or undone first. An import
can't be redone, because its record keeps only the keys of its rows: import the file again.

Writes at once, because the change was seen before; --dry-run only shows it.`
	cmd.Example = "  lcm-tui redo\n  lcm-tui redo 12 --dry-run"
	u.bind(cmd, "redo")
	return cmd
}

// revertFlags are the flags of undo and redo.
type revertFlags struct {
	dry, apply, force bool
	conv              cli.TextFlag
	last              func([]change.Record) (change.Record, error) // The record that is meant without an ID.
}

func (u *revertFlags) bind(cmd *cobra.Command, verb string) {
	fs := cmd.Flags()
	fs.BoolVar(&u.dry, "dry-run", false, "only show what would change")
	fs.BoolVar(&u.apply, "apply", false, verb+" it, which is the rule anyway")
	if verb == "undo" {
		fs.BoolVar(&u.force, "force", false, "undo an import although its host may store the messages again")
	} else {
		cli.BindOldForce(fs)
	}
	u.conv.Noun = "CONV"
	fs.Var(&u.conv, "conversation", "take the last one of this conversation")
}

// record returns the record that is meant.
func (u *revertFlags) record(ctx context.Context, c *cli.Invocation) (change.Record, error) {
	id, err := recordID(c)
	if err != nil {
		return change.Record{}, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return change.Record{}, err
	}
	if id == 0 {
		all, err := change.History(ctx, db)
		if err == nil && u.conv.Value != "" {
			all, err = recordsOf(ctx, c, all, u.conv.Value)
		}
		if err != nil {
			return change.Record{}, err
		}
		last, err := u.last(all)
		if err != nil {
			return change.Record{}, err
		}
		id = last.ID
	}
	r, _, err := change.RecordChanges(ctx, db, id)
	return r, err
}

func (u *revertFlags) undo(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	r, err := u.record(ctx, c)
	if err != nil {
		return nil, err
	}
	check := sessionkey.UndoCheck(c.Locations)
	if u.dry {
		p, err := (&undo.Op{Record: r.ID, Check: check}).Plan(ctx, c.DB, c.Progress())
		notes := undo.PendingNotes(r)
		if len(p.Changes) == 0 { // The plan says what comes back from the trash.
			notes = p.Notes
		}
		return &recordList{Records: []record{{r, p.Changes}}, Notes: notes}, err
	}
	if err := check(ctx, c.DB, r.ID); err != nil {
		return nil, err
	}
	revert := ops.Undo
	if u.force {
		revert = ops.ForceUndo
	}
	if err := revert(ctx, c.DB, r.ID); err != nil {
		return nil, err
	}
	undone := reread(ctx, c, r)
	return &recordList{Undone: &r.ID, Records: []record{{Record: undone}}, Notes: undo.PendingNotes(r), again: redo.Again(c.DB, undone)}, nil
}

func (u *revertFlags) redo(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	r, err := u.record(ctx, c)
	if err != nil {
		return nil, err
	}
	p, err := (&redo.Op{Record: r.ID}).Plan(ctx, c.DB, c.Progress())
	if err != nil {
		return nil, err
	}
	if u.dry {
		return &recordList{Records: []record{{r, p.Changes}}}, nil
	}
	out, err := ops.ApplyPlan(ctx, c.DB, p, c.Progress())
	if err != nil {
		return nil, err
	}
	return &recordList{Redone: &r.ID, Records: []record{{Record: reread(ctx, c, change.Record{ID: out.Record, Title: p.Title})}}}, nil
}

// reread returns a record as it is after a write, or, with a warning, as it was known before.
func reread(ctx context.Context, c *cli.Invocation, was change.Record) change.Record {
	r, _, err := change.RecordChanges(context.WithoutCancel(ctx), c.DB, was.ID)
	if err != nil {
		c.CommandWarnings = append(c.CommandWarnings, err)
		return was
	}
	return r
}
