package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/ops"
	"lcm-tui/ops/transplant"
)

// transplantFlags is the flags of transplant.
type transplantFlags struct {
	from, files, summaries textFlag
	messages               bool
	budget                 *integerFlag
}

func (a *app) transplant() *cobra.Command {
	t := &transplantFlags{budget: atLeast(1, "TOKENS")}
	t.from.noun, t.files.noun, t.summaries.noun = "FILE", "DIR", "IDS"
	cmd := a.operation("transplant SRC DST", "Copy summaries into another conversation", t.op)
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
	bindOldForce(fs)
	fs.Var(t.budget, "budget", "warn above this number of tokens in DST (default: what the host noted, or 128000)")
	a.completeFlag(cmd, "summaries", a.completeSummaries)
	return cmd
}

func (t *transplantFlags) op(ctx context.Context, c *invocation) (ops.Op, error) {
	if err := checkName("SRC", c.args[0]); err != nil {
		return nil, err
	}
	target, err := c.conversation(ctx, "DST", c.args[1])
	if err != nil {
		return nil, err
	}
	source, err := t.source(ctx, c)
	if err != nil {
		return nil, err
	}
	split := func(r rune) bool { return r == ',' || r == ' ' }
	return &transplant.Op{
		Source: source, Target: target, From: t.from.value, Summaries: strings.FieldsFunc(t.summaries.value, split),
		Messages: t.messages, Budget: t.budget.value, Files: c.locations.FilesDir, FromFiles: t.folder(c),
	}, nil
}

// source is the id of SRC in the database that it is in.
func (t *transplantFlags) source(ctx context.Context, c *invocation) (int64, error) {
	if t.from.value == "" {
		return c.conversation(ctx, "SRC", c.args[0])
	}
	from, err := data.Open(ctx, t.from.value)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	return find(ctx, from, "SRC", c.args[0])
}

// folder is where the source's large files are: beside its database, if there is
// such a folder, else where the host keeps all of them.
func (t *transplantFlags) folder(c *invocation) string {
	beside := filepath.Join(filepath.Dir(t.from.value), "lcm-files")
	info, err := os.Stat(beside)
	switch {
	case t.files.value != "":
		return t.files.value
	case t.from.value != "" && err == nil && info.IsDir():
		return beside
	}
	return c.locations.FilesDir
}
