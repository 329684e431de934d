package clean

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/trash"
	"lcm-tui/ui"
)

// trashFlags are the flags of trash.
type trashFlags struct {
	conversations, olderThan cli.TextFlag
	apply, dry               bool
}

func trashCommand(a *cli.App) *cobra.Command {
	f := &trashFlags{conversations: cli.TextFlag{Noun: "IDS"}, olderThan: cli.TextFlag{Noun: "AGE|DAY"}}
	cmd := a.Command(cli.GroupCare, "trash [ACTION]", "List, restore and empty what pruning removed", f.run)
	cmd.Long = `What lcm-tui prune removes is kept in a folder beside the database, one file for each prune.

  trash list               the files, the oldest first
  trash show TRASH         what is in one, and what of it a restore would put back
  trash restore TRASH      put it back: rows byte for byte, large files where they lay
  trash empty              delete files that are older than --older-than for good, or
                           those that are named: trash empty 3

TRASH is the number or the name of a file. A conversation whose session key another one has by
now comes back archived; a text comes back where the stub of lcm-tui still stands for it. A file
of the trash is a database like any other: lcm-tui transplant --from reads it.

restore and empty only show what they would do. With --apply they write.`
	cmd.Example = "  lcm-tui trash\n  lcm-tui trash restore 3\n  lcm-tui trash restore 3 --conv 12,15 --apply\n  lcm-tui trash empty --older-than 30d --apply\n  lcm-tui trash empty 3"
	cmd.ValidArgsFunction = completeTrash(a)
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(&f.conversations, "conv", "restore: only these conversations, by their ids, separated by commas")
	fs.Var(&f.olderThan, "older-than", "empty: delete files that are older, such as 30d, 6m or 2026-05-01")
	fs.BoolVar(&f.apply, "apply", false, "restore or delete")
	fs.BoolVar(&f.dry, "dry-run", false, "only show what would change (the default)")
	return cmd
}

func (f *trashFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if words := slices.Sorted(maps.Keys(cli.CommandActions["trash"])); c.Action == "" && len(c.Args) > 0 {
		return nil, cli.UsageErrorf("expected %s, not %q%s", strings.Join(words, ", "), c.Args[0], cli.DidYouMean(c.Args[0], "", words))
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	switch c.Action {
	case "show":
		return showTrash(ctx, db, c.Args[0])
	case "restore":
		return f.restore(ctx, c, db)
	case "empty":
		return f.empty(ctx, c.Args, db)
	}
	files, err := trash.List(ctx, db)
	return newTrashList(files, db), err
}

// completeTrash completes actions, and the numbers of files.
func completeTrash(a *cli.App) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		const no = cobra.ShellCompDirectiveNoFileComp
		if len(args) == 0 {
			return a.CompleteActions(cmd, args, begun)
		}
		c := &cli.Invocation{App: a}
		defer c.Close()
		db, err := c.Open(cmd.Context())
		if err != nil || len(args) > 1 && args[0] != "empty" || cli.CommandActions["trash"][args[0]] == "" {
			return nil, no
		}
		files, _ := trash.List(cmd.Context(), db)
		var out []string
		for _, f := range files {
			out = append(out, cli.DescribeCompletion(strconv.Itoa(f.Number), f.Title()))
		}
		return out, no | cobra.ShellCompDirectiveKeepOrder
	}
}

// trashList is the result of trash list and of trash empty.
type trashList struct {
	Folder  string       `json:"folder"`
	Files   []trash.File `json:"files"`
	Bytes   int64        `json:"bytes"`
	Applied *bool        `json:"applied,omitempty"` // Of trash empty.
	cli.WarningList
}

func newTrashList(files []trash.File, db *data.DB) *trashList {
	l := &trashList{Folder: data.TrashFolder(db.Path()), Files: files}
	if files == nil {
		l.Files = []trash.File{}
	}
	for _, f := range files {
		l.Bytes += f.Bytes + f.FilesBytes
	}
	return l
}

func (l *trashList) Print(p *cli.Printer) {
	if len(l.Files) == 0 {
		p.Line(map[bool]string{true: "nothing in the trash is that old", false: "the trash is empty"}[l.Applied != nil])
		return
	}
	rows := make([][]string, len(l.Files))
	for i, f := range l.Files {
		record := ""
		if f.Record != 0 {
			record = strconv.FormatInt(f.Record, 10)
		}
		rows[i] = []string{strconv.Itoa(f.Number), cli.When(f.MadeAt), ui.Size(f.Bytes + f.FilesBytes), ui.Num(f.Rows["conversations"]), ui.Num(f.Rows["messages"]), record, cli.Preview(f.Title())}
	}
	p.Table([]cli.Column{
		{Title: "n", Right: true},
		{Title: "made", Style: p.Styles.Muted},
		{Title: "size", Right: true},
		{Title: "conversations", Right: true},
		{Title: "messages", Right: true},
		{Title: "record", Right: true},
		{Title: "what", Grows: true},
	}, rows)
	switch {
	case l.Applied == nil:
		p.Linef("%s in %s; lcm-tui trash restore N puts one back", ui.Size(l.Bytes), ui.Line(l.Folder))
	case *l.Applied:
		p.Linef("deleted %s, %s", plural.Count(len(l.Files), "file", "files"), ui.Size(l.Bytes))
	default:
		p.Linef("%s would be deleted for good, %s, and what they removed couldn't be undone any more; add --apply to delete", plural.Count(len(l.Files), "file", "files"), ui.Size(l.Bytes))
	}
}

// chosen returns the files of the trash that are to be deleted: those that are named, else those that are old.
func (f *trashFlags) chosen(ctx context.Context, names []string, db *data.DB) (files []trash.File, err error) {
	switch {
	case len(names) > 0 && f.olderThan.Value != "":
		return nil, cli.UsageErrorf("trash empty: --older-than and TRASH exclude each other: name files, or say how old they are")
	case len(names) > 0:
		for _, name := range names {
			file, err := trash.Find(ctx, db, name)
			if err != nil {
				return nil, trashError(err)
			}
			if !slices.ContainsFunc(files, func(o trash.File) bool { return o.Path == file.Path }) {
				files = append(files, file)
			}
		}
		return files, nil
	case f.olderThan.Value == "":
		return nil, cli.UsageErrorf("trash empty: expected --older-than AGE, such as 30d, or the files to delete; lcm-tui trash lists them")
	}
	before, err := selector.ParseAge(f.olderThan.Value, db.Now())
	if err != nil {
		return nil, cli.FlagValueError("older-than", err)
	}
	return trash.Expired(ctx, db, before)
}

func (f *trashFlags) empty(ctx context.Context, names []string, db *data.DB) (cli.Result, error) {
	files, err := f.chosen(ctx, names, db)
	if err != nil {
		return nil, err
	}
	l := newTrashList(files, db)
	l.Applied = &f.apply
	switch {
	case len(files) == 0 && f.apply:
		return l, ops.ErrNothing
	case f.apply:
		err = trash.Empty(ctx, db, files)
	}
	return l, err
}

// trashFile is the result of trash show and of trash restore.
type trashFile struct {
	Op      string        `json:"op,omitempty"`
	Title   string        `json:"title,omitempty"`
	File    trash.File    `json:"file"`
	Preview trash.Preview `json:"preview"`
	Notes   []string      `json:"notes"`
	// Of trash restore.
	Applied *bool                `json:"applied,omitempty"`
	Record  *int64               `json:"record,omitempty"`
	Result  *trash.RestoreResult `json:"result,omitempty"`
	cli.WarningList
}

func showTrash(ctx context.Context, db *data.DB, name string) (cli.Result, error) {
	f, err := trash.Find(ctx, db, name)
	if err != nil {
		return nil, trashError(err)
	}
	r := &trashFile{File: f}
	if r.Preview, err = (trash.Restore{File: f}).Preview(ctx, db); err != nil {
		r.Warnings = append(r.Warnings, "it can't be restored: "+err.Error())
	} else {
		r.Notes = ops.RestoreNotes(r.Preview)
	}
	return r, nil
}

// trashError makes a name that the trash doesn't have an error of usage.
func trashError(err error) error {
	if errors.Is(err, trash.ErrNoFile) {
		return &cli.UsageError{Message: err.Error(), Next: "lcm-tui trash lists its files"}
	}
	return err
}

func (f *trashFlags) restore(ctx context.Context, c *cli.Invocation, db *data.DB) (cli.Result, error) {
	file, err := trash.Find(ctx, db, c.Args[0])
	if err != nil {
		return nil, trashError(err)
	}
	r := trash.Restore{File: file}
	if file.Record != 0 {
		record, _, err := change.RecordChanges(ctx, db, file.Record)
		if err != nil {
			return nil, err
		}
		receipt, _ := change.ReceiptOf(record)
		r.SHA256 = receipt.SHA256
	}
	split := func(r rune) bool { return r == ',' || r == ' ' }
	for _, name := range strings.FieldsFunc(f.conversations.Value, split) {
		id, err := cli.ParseID("CONV", name)
		if err != nil {
			return nil, err
		}
		r.Conversations = append(r.Conversations, id)
	}
	out := &trashFile{Op: trash.RestoreOp, Title: r.Title(), File: file, Applied: &f.apply}
	if out.Preview, err = r.Preview(ctx, db); err != nil {
		return nil, err
	}
	out.Notes = ops.RestoreNotes(out.Preview)
	if !f.apply {
		return out, nil
	}
	if out.Preview.Empty() {
		return nil, fmt.Errorf("all of %s is there: %w", file.Name, ops.ErrNothing)
	}
	done, err := r.Apply(ctx, db, c.Progress())
	out.Result, out.Record, out.Warnings = &done, &done.Record, ops.RestoreWarnings(done)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (r *trashFile) Print(p *cli.Printer) {
	p.Title(fmt.Sprintf("%d  %s", r.File.Number, ui.Line(r.File.Title())))
	p.Line("file  " + ui.Line(r.File.Path))
	p.Linef("made  %s, %s", cli.When(r.File.MadeAt), ui.Size(r.File.Bytes+r.File.FilesBytes))
	rows := make([][]string, len(r.Preview.Conversations))
	for i, v := range r.Preview.Conversations {
		state := "is there"
		switch {
		case v.Taken:
			state = "comes back archived"
		case v.Missing:
			state = "comes back"
		}
		rows[i] = []string{strconv.FormatInt(v.ID, 10), state, ui.Num(v.Messages), ui.Num(v.Texts), cli.Preview(v.SessionKey + " " + v.Title)}
	}
	if len(rows) > 0 {
		p.Write("\n")
		p.Table([]cli.Column{{Title: "id", Right: true}, {Title: "state"}, {Title: "messages", Right: true}, {Title: "texts", Right: true}, {Title: "conversation", Grows: true}}, rows)
	}
	p.Write("\n")
	for _, n := range r.Notes {
		p.Block("note: " + ui.Line(n))
	}
	for _, w := range r.Warnings {
		p.Block(cli.Styled(p.Styles.Warn, "warning: "+ui.Line(w)))
	}
	switch {
	case r.Applied == nil:
	case *r.Applied:
		p.Line(cli.Styled(p.Styles.Good, fmt.Sprintf("restored as record %d", *r.Record)))
	default:
		p.Line("nothing was written; add --apply to restore it")
	}
}
