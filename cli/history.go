package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/data/change"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// recordList is the result of history, undo and redo.
type recordList struct {
	Undone  *int64   `json:"undone,omitempty"`
	Redone  *int64   `json:"redone,omitempty"` // Under the record that is listed.
	Records []record `json:"records"`
	Notes   []string `json:"notes,omitempty"` // What became, or becomes, of pending batches.
	Next    *string  `json:"next_cursor,omitempty"`
	warningList
}

// record is one write, with its changes where one was asked for.
type record struct {
	change.Record
	Changes []change.Change `json:"changes,omitempty"`
}

func (a *app) history() *cobra.Command {
	part, conv := &paging{}, &textFlag{noun: "CONV"}
	run := func(ctx context.Context, c *invocation) (result, error) { return records(ctx, c, part, conv.value) }
	cmd := a.command(groupOther, "history [ID]", "List the changes that lcm-tui made", run)
	part.bind(cmd)
	cmd.Flags().Var(conv, "conversation", "only changes of this conversation")
	cmd.Long = `Lists the changes that lcm-tui made to the database, newest first, and what became of each:
applied, undone, redone or not finished. With the ID of a record it shows its rows.

Writes nothing.`
	cmd.Example = "  lcm-tui history\n  lcm-tui history 12 --json"
	return cmd
}

func records(ctx context.Context, c *invocation, part *paging, conv string) (result, error) {
	id, err := c.recordID()
	if err != nil {
		return nil, err
	}
	db, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	if id > 0 {
		r, changes, err := change.RecordChanges(ctx, db, id)
		return &recordList{Records: []record{{r, changes}}, Notes: ops.RecordNotes(r)}, err
	}
	c.watchedSince = time.Time{}
	all, err := change.History(ctx, db)
	if err != nil {
		return nil, err
	}
	if conv != "" {
		if all, err = c.recordsOf(ctx, all, conv); err != nil {
			return nil, err
		}
	}
	l := &recordList{}
	all, l.Next, err = pageOf(part, all, func(r change.Record) string { return strconv.FormatInt(r.ID, 10) })
	l.Records = make([]record, len(all))
	for i, r := range all {
		l.Records[i].Record = r
	}
	return l, err
}

// recordsOf are the records that changed rows of a conversation.
func (c *invocation) recordsOf(ctx context.Context, all []change.Record, name string) ([]change.Record, error) {
	conv, err := c.conversation(ctx, "CONV", name)
	if err != nil {
		return nil, err
	}
	of, err := change.RecordsOf(ctx, c.DB, conv)
	return slices.DeleteFunc(all, func(r change.Record) bool { return !of[r.ID] }), err
}

// recordID is the record that the argument names, or 0 without one.
func (c *invocation) recordID() (int64, error) {
	if len(c.args) == 0 {
		return 0, nil
	}
	return parseID("ID", c.args[0])
}

func (l *recordList) Print(p *printer) {
	if len(l.Records) == 0 {
		p.line("nothing was changed by this program")
		return
	}
	if l.Undone != nil {
		again := fmt.Sprintf("lcm-tui redo %d makes the change again", *l.Undone)
		if ops.SetVerb(l.Records[0].Record) != "" {
			again = "lcm-tui prune with the same selectors removes it again"
		}
		p.linef("record %d is undone: %s; %s", *l.Undone, ui.Line(l.Records[0].Title), again)
		l.notes(p)
		return
	}
	if l.Redone != nil {
		p.linef("record %d is redone as record %d; lcm-tui undo %d undoes it again", *l.Redone, l.Records[0].ID, l.Records[0].ID)
		return
	}
	rows := make([][]string, len(l.Records))
	for i, r := range l.Records {
		state := r.State()
		if r.Undone() {
			state += " " + when(r.UndoneAt)
		}
		rows[i] = []string{strconv.FormatInt(r.ID, 10), when(r.AppliedAt), state, ui.LineN(r.Op, 16), preview(r.Title)}
	}
	p.table([]column{
		{title: "id", right: true},
		{title: "applied", style: p.styles.Muted, spare: true},
		{title: "state", style: p.styles.Muted},
		{title: "what"},
		{title: "title", grows: true},
	}, rows)
	changeLines(p, l.Records[0].Changes)
	l.notes(p)
	nextPage{l.Next}.more(p)
}

func (l *recordList) notes(p *printer) {
	for _, note := range l.Notes {
		p.line(note)
	}
}
