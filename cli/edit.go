package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
)

func (a *app) edit() *cobra.Command {
	file := textFlag{noun: "FILE"}
	cmd := a.operation("edit SUMMARY", "Replace the text of a summary by your own", func(ctx context.Context, c *invocation) (ops.Op, error) {
		if file.value == "" {
			return nil, usageErrorf("edit: expected --file FILE with the new text, or - for standard input")
		}
		text, err := readText(c.sys.In, file.value)
		if err != nil {
			return nil, err
		}
		db, err := c.open(ctx)
		if err != nil {
			return nil, err
		}
		s, err := lcm.ReadSummary(ctx, db, c.args[0])
		if err != nil {
			return nil, err
		}
		return &rewrite.Op{
			Conversation: s.Conversation, Pick: rewrite.Pick{Summary: s.ID}, Texts: map[string]string{s.ID: text},
			Options: regenerate.Options{Job: summarize.Job{Estimator: token.Of(db.Kind().Level)}},
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
