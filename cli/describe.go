package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"lcm-tui/engine/retrieve"
)

// description is the result of describe.
type description struct {
	*retrieve.Description
	warningList
}

// describeFlags is what describe shows.
type describeFlags struct {
	scope                            scopeFlags
	tokenCap, most, firstLine, until *integerFlag
	content                          bool
}

func (a *app) describe() *cobra.Command {
	f := describeFlags{
		tokenCap: atLeast(1, "N"), most: atLeast(1, "BYTES"), firstLine: atLeast(1, "N"), until: atLeast(1, "N"),
	}
	cmd := a.command(groupBrowse, "describe SUMMARY_OR_FILE", "Describe a summary or a large file as an agent sees it", f.run)
	cmd.Long = `Prints what the agent tool lcm_describe answers. Of a summary: its text, the summaries that it
was made from (parents), those that were made from it (children), and what an expansion of each
would cost in tokens. Of a large file: its name, size and exploration summary, and with
--expand-file what is in it. ID is the id of a summary or a file, or a whole reference block
such as "[LCM File: file_0123456789abcdef | notes.txt | text/plain | 2,224 bytes]".

Writes nothing.`
	cmd.Example = "  lcm-tui describe sum_1a2b3c4d5e6f7a8b --all\n  lcm-tui describe file_0123456789abcdef --conversation 12 --expand-file --start-line 10 --end-line 40"
	cmd.ValidArgsFunction = a.completeDescribed
	f.scope.bind(a, cmd)
	flags := cmd.Flags()
	flags.Var(f.tokenCap, "token-cap", "compare costs with this many tokens instead of maxExpandTokens")
	flags.BoolVar(&f.content, "expand-file", false, "print the content of a file as well")
	flags.Var(f.most, "max-bytes", "with --expand-file, read at most this much: 1,024 to 512,000 (default 32,768)")
	flags.Var(f.firstLine, "start-line", "with --expand-file, print from this line on")
	flags.Var(f.until, "end-line", "with --start-line, print up to this line")
	return cmd
}

func (f *describeFlags) run(ctx context.Context, c *invocation) (result, error) {
	if f.until.IsSet && f.until.value < f.firstLine.value {
		return nil, usageErrorf("--end-line %d lies before --start-line %d", f.until.value, f.firstLine.value)
	}
	db, scope, err := f.scope.resolve(ctx, c)
	if err != nil {
		return nil, err
	}
	r := retrieve.DescribeRequest{
		ID: c.args[0], TokenCap: f.tokenCap.given(), DefaultCap: c.hostSettings(nil).MaxExpandTokens(),
		File: retrieve.FileRequest{
			Content: f.content, Folder: c.locations.FilesDir, MaxBytes: f.most.value, FirstLine: f.firstLine.given(), LastLine: f.until.given(),
		},
	}
	d, err := r.Run(ctx, db, scope)
	if err != nil {
		return nil, retrievalError(err)
	}
	return &description{Description: d}, nil
}

func (d *description) Print(p *printer) { p.answer(d.Text()) }

// retrievalError is an error of retrieval with a hint that names flags instead of the parameters
// of the agent tool.
func retrievalError(err error) error {
	var tool *retrieve.ToolError
	if !errors.As(err, &tool) {
		return err
	}
	switch tool.Reason {
	case retrieve.BadRequest:
		return &usageError{Message: tool.Message, Next: tool.Advice}
	case retrieve.OutOfScope:
		return &retrieve.ToolError{Message: tool.Message, Advice: "--all looks into all conversations, --conversation CONV into one"}
	}
	return err
}
