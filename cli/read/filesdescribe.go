package read

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
)

// describing is the flags by which files has a model describe large files.
type describing struct {
	cli.SummaryFlags
	requested, generate, apply bool
}

// describeFlagNames are the flags that need --describe.
const describeFlagNames = "generate apply set fresh send-secrets prompt-dir tz " + cli.ModelFlagNames

func (d *describing) bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&d.requested, "describe", false, "have a model describe large text files; alone, say what that would cost")
	fs.BoolVar(&d.generate, "generate", false, "call the model and show the descriptions")
	fs.BoolVar(&d.apply, "apply", false, "call the model and write the descriptions")
	d.Bind(cmd)
}

// perform plans the descriptions, and writes them with --apply.
func (d *describing) perform(ctx context.Context, c *cli.Invocation, conv int64) (cli.Result, error) {
	op, err := d.DescribeFiles(c, conv)
	if err != nil {
		return nil, err
	}
	op.Ask = d.generate
	if len(c.Args) > 1 {
		op.Files = c.Args[1:]
	}
	return c.Perform(ctx, op, d.apply)
}
