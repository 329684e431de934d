package change

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
)

func editCommand(a *cli.App) *cobra.Command {
	file := cli.TextFlag{Noun: "FILE"}
	cmd := a.Operation("edit SUMMARY", "Replace the text of a summary by your own", func(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
		if file.Value == "" {
			return nil, cli.UsageErrorf("edit: expected --file FILE with the new text, or - for standard input")
		}
		text, err := cli.ReadText(c.Sys.In, file.Value)
		if err != nil {
			return nil, err
		}
		s, err := c.Summary(ctx, c.Args[0])
		if err != nil {
			return nil, err
		}
		return &rewrite.Op{
			Conversation: s.Conversation, Pick: rewrite.Pick{Summary: s.ID}, Texts: map[string]string{s.ID: text},
			Options: regenerate.Options{Job: summarize.Job{Estimator: token.Of(c.DB.Kind().Level)}},
		}, nil
	})
	cmd.Long = `Replaces the text of a summary by a text that you wrote. Token counts, counters and the
search tables follow, and the summary is marked as written by hand.

Without --apply it only shows the difference. With --apply it writes.`
	cmd.Example = `# Take the text, change it, look at the difference, write it:
lcm-tui summaries 12 --json | jq -r '.summaries[] | select(.summary_id == "sum_1a2b3c4d5e6f7a8b").content' > text.md
lcm-tui edit sum_1a2b3c4d5e6f7a8b --file text.md
lcm-tui edit sum_1a2b3c4d5e6f7a8b --file text.md --apply`
	cmd.Flags().Var(&file, "file", "the new text, or - for standard input")
	return cmd
}
