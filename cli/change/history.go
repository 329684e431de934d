package change

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
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
	cli.WarningList
}

// record is one write, with its changes where one was asked for.
type record struct {
	change.Record
	Changes []change.Change `json:"changes,omitempty"`
}

func historyCommand(a *cli.App) *cobra.Command {
	part, conv := &cli.Paging{}, &cli.TextFlag{Noun: "CONV"}
	run := func(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
		return records(ctx, c, part, conv.Value)
	}
	cmd := a.Command(cli.GroupOther, "history [ID]", "List the changes that lcm-tui made", run)
	part.Bind(cmd)
	cmd.Flags().Var(conv, "conversation", "only changes of this conversation")
	cmd.Long = `Lists the changes that lcm-tui made to the database, newest first, and what became of each:
applied, undone, redone or not finished. Imports by which one session file was followed within
an hour are one line; each is undone by itself. With the ID of a record it shows its rows.

Writes nothing.`
	cmd.Example = "  lcm-tui history\n  lcm-tui history 12 --json"
	return cmd
}

func records(ctx context.Context, c *cli.Invocation, part *cli.Paging, conv string) (cli.Result, error) {
	id, err := recordID(c)
	if err != nil {
		return nil, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	if id > 0 {
		r, changes, err := change.RecordChanges(ctx, db, id)
		return &recordList{Records: []record{{r, changes}}, Notes: ops.RecordNotes(r)}, err
	}
	c.WatchedSince = time.Time{}
	all, err := change.History(ctx, db)
	if err != nil {
		return nil, err
	}
	if conv != "" {
		if all, err = recordsOf(ctx, c, all, conv); err != nil {
			return nil, err
		}
	}
	l := &recordList{}
	all, l.Next, err = cli.PageOf(part, all, func(r change.Record) string { return strconv.FormatInt(r.ID, 10) })
	l.Records = make([]record, len(all))
	for i, r := range all {
		l.Records[i].Record = r
	}
	return l, err
}

// recordsOf returns the records that changed rows of a conversation.
func recordsOf(ctx context.Context, c *cli.Invocation, all []change.Record, name string) ([]change.Record, error) {
	conv, err := c.Conversation(ctx, "CONV", name)
	if err != nil {
		return nil, err
	}
	of, err := change.RecordsOf(ctx, c.DB, conv)
	return slices.DeleteFunc(all, func(r change.Record) bool { return !of[r.ID] }), err
}

// recordID returns the record that the argument names, or 0 without one.
func recordID(c *cli.Invocation) (int64, error) {
	if len(c.Args) == 0 {
		return 0, nil
	}
	return cli.ParseID("ID", c.Args[0])
}

func (l *recordList) Print(p *cli.Printer) {
	if len(l.Records) == 0 {
		p.Line("nothing was changed by this program")
		return
	}
	if l.Undone != nil {
		again := fmt.Sprintf("lcm-tui redo %d makes the change again", *l.Undone)
		switch r := l.Records[0].Record; {
		case r.CutShort():
			again = "plan the same change again"
		case ops.SetVerb(r) != "":
			again = "lcm-tui prune with the same selectors removes it again"
		case r.Op == "backfill" || r.Op == "follow": // Their records keep only the keys of rows.
			again = "importing the session file adds it again"
		}
		p.Linef("record %d is undone: %s; %s", *l.Undone, ui.Line(l.Records[0].Title), again)
		l.notes(p)
		return
	}
	if l.Redone != nil {
		p.Linef("record %d is redone as record %d; lcm-tui undo %d undoes it again", *l.Redone, l.Records[0].ID, l.Records[0].ID)
		return
	}
	records, joined := make([]change.Record, len(l.Records)), false
	for i, r := range l.Records {
		records[i] = r.Record
	}
	var rows [][]string
	for _, r := range ops.JoinImports(records) {
		state := r.State()
		if r.Undone() {
			state += " " + cli.When(r.UndoneAt)
		}
		joined = joined || len(r.Earlier) > 0
		rows = append(rows, []string{strconv.FormatInt(r.ID, 10), cli.When(r.AppliedAt), state, ui.LineN(r.Op, 16), cli.Preview(r.Title())})
	}
	p.Table([]cli.Column{
		{Title: "id", Right: true},
		{Title: "applied", Style: p.Styles.Muted, Spare: true},
		{Title: "state", Style: p.Styles.Muted},
		{Title: "what"},
		{Title: "title", Grows: true},
	}, rows)
	if joined {
		p.Muted("imports of one session file within an hour are one line, with the id of the newest; --json lists each")
	}
	cli.ChangeLines(p, l.Records[0].Changes)
	l.notes(p)
	cli.NextPage{Next: l.Next}.More(p)
}

func (l *recordList) notes(p *cli.Printer) {
	for _, note := range l.Notes {
		p.Line(note)
	}
}
