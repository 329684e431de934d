package agents

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
)

// description is the result of describe.
type description struct {
	*retrieve.Description
	cli.WarningList
}

// describeFlags is what describe shows.
type describeFlags struct {
	scope                            cli.ScopeFlags
	tokenCap, most, firstLine, until *cli.IntegerFlag
	content                          bool
}

func describeCommand(a *cli.App) *cobra.Command {
	f := describeFlags{
		tokenCap: cli.AtLeast(1, "N"), most: cli.AtLeast(1, "BYTES"), firstLine: cli.AtLeast(1, "N"), until: cli.AtLeast(1, "N"),
	}
	cmd := a.Command(cli.GroupAgents, "describe SUMMARY_OR_FILE", "Describe a summary or a large file as an agent sees it", f.run)
	cmd.Long = `Prints what the agent tool lcm_describe answers. Of a summary: its text, the summaries that it
was made from (parents), those that were made from it (children), and what an expansion of each
would cost in tokens. Of a large file: its name, size and exploration summary, and with
--expand-file what is in it. Both are named by their ids, a summary also by the beginning of
one that no other has; or by a whole reference block such as
"[LCM File: file_0123456789abcdef | notes.txt | text/plain | 2,224 bytes]".

Writes nothing.`
	cmd.Example = "  lcm-tui describe sum_1a2b3c4d5e6f7a8b\n  lcm-tui describe file_0123456789abcdef --expand-file --start-line 10 --end-line 40"
	cmd.ValidArgsFunction = a.CompleteDescribed
	f.scope.Bind(a, cmd)
	flags := cmd.Flags()
	flags.Var(f.tokenCap, "token-cap", "compare costs with this many tokens instead of maxExpandTokens")
	flags.BoolVar(&f.content, "expand-file", false, "print the content of a file as well")
	flags.Var(f.most, "max-bytes", "with --expand-file, read at most this much: 1,024 to 512,000 (default 32,768)")
	flags.Var(f.firstLine, "start-line", "with --expand-file, print from this line on")
	flags.Var(f.until, "end-line", "with --start-line, print up to this line")
	return cmd
}

func (f *describeFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if f.until.IsSet && f.until.Value < f.firstLine.Value {
		return nil, cli.UsageErrorf("--end-line %d lies before --start-line %d", f.until.Value, f.firstLine.Value)
	}
	if n := f.most.Value; f.most.IsSet && (n < retrieve.LeastFileBytes || n > retrieve.MostFileBytes) {
		return nil, cli.UsageErrorf("--max-bytes: expected 1,024 to 512,000, not %d", n)
	}
	db, scope, id, err := f.resolve(ctx, c)
	if err != nil {
		return nil, err
	}
	r := retrieve.DescribeRequest{
		ID: id, TokenCap: f.tokenCap.Given(), DefaultCap: c.HostSettings(nil).MaxExpandTokens(),
		File: retrieve.FileRequest{
			Content: f.content, Folder: c.Locations.FilesDir, MaxBytes: f.most.Value, FirstLine: f.firstLine.Given(), LastLine: f.until.Given(),
		},
	}
	d, err := r.Run(ctx, db, scope)
	if err != nil {
		return nil, retrievalError(err)
	}
	return &description{Description: d}, nil
}

// resolve opens the database and finds what the argument names, and the conversations to look into.
func (f *describeFlags) resolve(ctx context.Context, c *cli.Invocation) (db *data.DB, scope retrieve.Scope, id string, err error) {
	id = c.Args[0]
	if strings.HasPrefix(id, "sum_") {
		db, scope, ids, err := resolveSummaries(ctx, c, &f.scope, c.Args)
		if _, malformed := retrieve.ParseID(id); malformed != nil && errors.Is(err, data.ErrNotFound) {
			err = retrievalError(malformed)
		}
		if err != nil {
			return nil, scope, id, err
		}
		return db, scope, ids[0], nil
	}
	var owners []int64
	if db, err = c.Open(ctx); err != nil {
		return nil, scope, id, err
	}
	if bare, err := retrieve.ParseID(id); err == nil { // Else the request says what is wrong with it.
		files, err := lcm.FileIDs(ctx, db)
		if err != nil {
			return nil, scope, id, err
		}
		if owner, ok := files[bare]; ok {
			owners = append(owners, owner)
		}
	}
	db, scope, err = f.scope.Resolve(ctx, c, owners...)
	return db, scope, id, err
}

func (d *description) Print(p *cli.Printer) { p.Answer(d.Text()) }

// retrievalError returns an error of retrieval with a hint that names flags instead of the parameters
// of the agent tool.
func retrievalError(err error) error {
	var tool *retrieve.ToolError
	if !errors.As(err, &tool) {
		return err
	}
	switch tool.Reason {
	case retrieve.BadRequest:
		return &cli.UsageError{Message: tool.Message, Next: tool.Advice}
	case retrieve.OutOfScope:
		return &retrieve.ToolError{Message: tool.Message, Advice: "--all looks into all conversations, --conversation CONV into one"}
	}
	return err
}
