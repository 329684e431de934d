package change

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/ops"
	"lcm-tui/ops/transplant"
)

// transplantFlags is the flags of transplant.
type transplantFlags struct {
	from, files, summaries cli.TextFlag
	messages               bool
	budget                 *cli.IntegerFlag
}

func transplantCommand(a *cli.App) *cobra.Command {
	t := &transplantFlags{budget: cli.AtLeast(1, "TOKENS")}
	t.from.Noun, t.files.Noun, t.summaries.Noun = "FILE", "DIR", "IDS"
	cmd := a.Operation("transplant SRC DST", "Copy summaries into another conversation", t.op)
	cmd.Long = `Copies the summaries in the context of conversation SRC into conversation DST, with
everything below them: summaries, messages, parts and large files. They get the place in the
context of DST that their time gives them. What DST has already is skipped. SRC is only
read, also if it is in another database.

Without --apply it only shows what would change. With --apply it writes.`
	cmd.Example = `# Carry an archived conversation's memory into the one that goes on:
lcm-tui transplant 7 12
# Two branches only, from a backup:
lcm-tui transplant 7 12 --from old.db --summaries sum_1a2b3c4d5e6f7a8b,sum_8b7a6f5e4d3c2b1a --apply`
	fs := cmd.Flags()
	fs.Var(&t.from, "from", "the database of SRC, which is only read")
	fs.Var(&t.files, "from-files", "the folder of its large files (default: lcm-files beside it)")
	fs.Var(&t.summaries, "summaries", "only these summaries and what is below them, separated by commas")
	fs.BoolVar(&t.messages, "messages", false, "also the messages in SRC's context that no summary covers")
	cli.BindOldForce(fs)
	fs.Var(t.budget, "budget", "warn above this number of tokens in DST (default: what the host noted, or 128000)")
	a.CompleteFlag(cmd, "summaries", a.CompleteSummaries)
	return cmd
}

func (t *transplantFlags) op(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
	if err := cli.CheckName("SRC", c.Args[0]); err != nil {
		return nil, err
	}
	target, err := c.Conversation(ctx, "DST", c.Args[1])
	if err != nil {
		return nil, err
	}
	source, err := t.source(ctx, c)
	if err != nil {
		return nil, err
	}
	split := func(r rune) bool { return r == ',' || r == ' ' }
	return &transplant.Op{
		Source: source, Target: target, From: t.from.Value, Summaries: strings.FieldsFunc(t.summaries.Value, split),
		Messages: t.messages, Budget: t.budget.Value, Files: c.Locations.FilesDir, FromFiles: t.folder(c),
	}, nil
}

// source returns the id of SRC in the database that it is in.
func (t *transplantFlags) source(ctx context.Context, c *cli.Invocation) (int64, error) {
	if t.from.Value == "" {
		return c.Conversation(ctx, "SRC", c.Args[0])
	}
	from, err := data.Open(ctx, t.from.Value)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	return cli.FindConversation(ctx, from, "SRC", c.Args[0])
}

// folder returns where the source's large files are: beside its database, if there is
// such a folder, else where the host keeps all of them.
func (t *transplantFlags) folder(c *cli.Invocation) string {
	beside := filepath.Join(filepath.Dir(t.from.Value), "lcm-files")
	info, err := os.Stat(beside)
	switch {
	case t.files.Value != "":
		return t.files.Value
	case t.from.Value != "" && err == nil && info.IsDir():
		return beside
	}
	return c.Locations.FilesDir
}
