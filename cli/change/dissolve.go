package change

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
)

func dissolveCommand(a *cli.App) *cobra.Command {
	budget := cli.AtLeast(1, "TOKENS")
	var purge bool
	cmd := a.Operation("dissolve CONV SUMMARY", "Replace a summary by its sources", func(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
		conv, err := c.Conversation(ctx, "CONV", c.Args[0])
		if err != nil {
			return nil, err
		}
		summary, err := c.Summary(ctx, c.Args[1])
		if err != nil {
			return nil, err
		}
		return &dissolve.Op{Conversation: conv, Summary: summary.ID, Purge: purge, Budget: budget.Value}, nil
	})
	cmd.Long = `Replaces a condensed summary in a conversation's context by the summaries that it was made
from. lcm-tui context CONV shows which are there.

Without --apply it only shows what would change. With --apply it writes the context; --purge
also deletes the summary itself.`
	cmd.Example = "  lcm-tui dissolve 12 sum_1a2b3c4d5e6f7a8b\n  lcm-tui dissolve 12 sum_1a2b3c4d5e6f7a8b --apply"
	fs := cmd.Flags()
	fs.BoolVar(&purge, "purge", false, "also delete the summary and its links")
	cli.BindOldForce(fs)
	fs.Var(budget, "budget", "warn above this number of tokens (default: what the host noted, or 128000)")
	a.BindFormerFlag(cmd, "summary-id")
	return cmd
}
