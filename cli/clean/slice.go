package clean

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/slice"
	"lcm-tui/ui"
)

// sliceResult is the result of slice.
type sliceResult struct {
	slice.Result
	cli.WarningList
}

// sliceFlags are the flags of slice.
type sliceFlags struct {
	to, files                  cli.TextFlag
	detach, archive, take, cut bool
}

func sliceCommand(a *cli.App) *cobra.Command {
	f := &sliceFlags{to: cli.TextFlag{Noun: "FILE"}, files: cli.TextFlag{Noun: "DIR"}}
	var cmd *cobra.Command
	cmd = a.Command(cli.GroupCare, "slice CONV...", "Copy conversations into a new database", func(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
		if !cmd.Flags().Changed("archive") { // Two hosts must not own one session key.
			f.archive = f.detach || f.files.Value != ""
		}
		return f.run(ctx, c)
	})
	cmd.Long = `Copies conversations into a new database with the schema of this one: every row of theirs with
its own id, the search tables, and the rows of tables of other programs that refer to them. The
new file opens in a host and assembles the same contexts. The database is only read.

Links may lead to other conversations, where summaries were copied from one to another. Then
--with-lineage takes these conversations too, and --cut-lineage leaves the links out; without
either nothing is written.

A slice for another machine is made with --detach, or with --files DIR: then its conversations
are archived as well, unless --archive=false is given, since two hosts must not go on in one
conversation. A host of 1.0 elsewhere would archive them itself at its first start, since it has
no session of theirs; --detach always archives them in such files.

Writes only the new file, which must not exist and is private to you.`
	cmd.Example = `# A conversation to look at elsewhere:
lcm-tui slice 12 --to case.db
# For another machine, with its large files:
lcm-tui slice agent:main:main 7 --to moved.db --detach --files moved-files
# Carry it into another database:
lcm-tui transplant 12 3 --from case.db --db other.db`
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Var(&f.to, "to", "the new file")
	fs.BoolVar(&f.take, "with-lineage", false, "also copy the conversations to which links lead")
	fs.BoolVar(&f.cut, "cut-lineage", false, "leave out links to other conversations")
	fs.BoolVar(&f.detach, "detach", false, "forget the paths of session files, so that no host goes on reading there; of files of 1.0, which have none, archive the conversations")
	fs.BoolVar(&f.archive, "archive", false, "archive the conversations in the new file (the default with --detach or --files)")
	fs.Var(&f.files, "files", "copy large files into this folder, and make the rows name the copies")
	cmd.ValidArgsFunction = completeConversations(a)
	return cmd
}

// completeConversations completes any number of conversations.
func completeConversations(a *cli.App) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return a.CompleteConversation(cmd, nil, begun)
	}
}

func (f *sliceFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if f.to.Value == "" {
		return nil, cli.UsageErrorf("slice: expected --to FILE with the name of the new file")
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	to, err := c.NewFile(db, f.to.Value)
	if err != nil {
		return nil, err
	}
	if _, err := c.NewFile(db, f.files.Value); err != nil {
		return nil, err
	}
	r := slice.Request{Detach: f.detach, Archive: f.archive, Search: true, FilesTo: f.files.Value, Finish: slice.Mark}
	for _, arg := range c.Args {
		id, err := c.Conversation(ctx, "CONV", arg)
		if err != nil {
			return nil, err
		}
		r.Conversations = append(r.Conversations, id)
	}
	switch {
	case f.take:
		r.Lineage = slice.LineageTake
	case f.cut:
		r.Lineage = slice.LineageCut
	}
	r.FilesFrom = c.Locations.FilesDir
	out, err := slice.Write(ctx, db, to, r, c.Progress())
	if errors.Is(err, data.ErrExists) {
		return nil, cli.ExistsError(err)
	}
	if err != nil {
		return nil, cli.UnknownConversation(ctx, db, err)
	}
	return &sliceResult{Result: out, WarningList: cli.WarningList{Warnings: sliceWarnings(&out)}}, nil
}

// sliceWarnings say what a slice doesn't hold, and what to beware of.
func sliceWarnings(r *slice.Result) []string {
	out := r.Warnings()
	if n := len(r.Active); n > 0 {
		out[len(out)-1] += "; --archive ends " + plural.Noun(n, "it", "them") + " in it"
	}
	return out
}

func (r *sliceResult) Print(p *cli.Printer) {
	p.Line("slice          " + ui.Line(r.Path))
	p.Linef("size           %s", ui.Size(r.Bytes))
	p.Linef("conversations  %s", ui.Num(r.Tables["conversations"]))
	for _, id := range r.Added {
		p.Linef("               with conversation %d, to which links lead", id)
	}
	p.Linef("rows           %s, %s, %s", plural.Count(int(r.Tables["messages"]), "message", "messages"),
		plural.Count(int(r.Tables["message_parts"]), "part", "parts"), plural.Count(int(r.Tables["summaries"]), "summary", "summaries"))
	if n := len(r.Files); n > 0 {
		p.Linef("files          %s", plural.Count(n, "large file copied", "large files copied"))
	}
	if r.Archived > 0 {
		p.Linef("archived       %s", plural.Count(int(r.Archived), "conversation", "conversations"))
	}
	if r.Detached > 0 {
		p.Linef("detached       %s", plural.Count(int(r.Detached), "session file", "session files"))
	}
	for _, w := range r.WarningList.Warnings {
		p.Block(cli.Styled(p.Styles.Warn, "warning: "+ui.Line(w)))
	}
	p.Line("checked the integrity of the new file, and its rows against those of the database")
}
