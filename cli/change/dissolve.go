package change

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
)

func dissolveCommand(a *cli.App) *cobra.Command {
	summary, budget := cli.TextFlag{Noun: "ID"}, cli.AtLeast(1, "TOKENS")
	var purge bool
	cmd := a.Operation("dissolve CONV", "Replace a summary by its sources", func(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
		if summary.Value == "" {
			return nil, cli.UsageErrorf("dissolve: expected --summary-id ID, a condensed summary in the context; see lcm-tui context %s", c.Args[0])
		}
		conv, err := c.Conversation(ctx, "CONV", c.Args[0])
		if err != nil {
			return nil, err
		}
		return &dissolve.Op{Conversation: conv, Summary: summary.Value, Purge: purge, Budget: budget.Value}, nil
	})
	cmd.Long = `Replaces a condensed summary in a conversation's context by the summaries that it was made
from.

Without --apply it only shows what would change. With --apply it writes the context; --purge
also deletes the summary itself.`
	cmd.Example = "  lcm-tui dissolve 12 --summary-id sum_1a2b3c4d5e6f7a8b\n  lcm-tui dissolve 12 --summary-id sum_1a2b3c4d5e6f7a8b --apply"
	fs := cmd.Flags()
	fs.Var(&summary, "summary-id", "the summary")
	fs.BoolVar(&purge, "purge", false, "also delete the summary and its links")
	cli.BindOldForce(fs)
	fs.Var(budget, "budget", "warn above this number of tokens (default: what the host noted, or 128000)")
	a.CompleteFlag(cmd, "summary-id", a.CompleteSummaries)
	return cmd
}
