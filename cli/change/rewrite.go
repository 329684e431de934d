package change

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
)

// rewriteFlags is the flags of rewrite.
type rewriteFlags struct {
	cli.SummaryFlags
	subtree        cli.TextFlag
	depth, jobs    *cli.IntegerFlag
	all, ancestors bool
	timestamps     bool
	generate, diff bool
}

func rewriteCommand(a *cli.App) *cobra.Command {
	w := &rewriteFlags{depth: cli.AtLeast(0, "N"), jobs: cli.AtLeast(1, "N").Preset(1)}
	w.subtree.Noun = "SUMMARY"
	cmd := a.Operation("rewrite CONV [SUMMARY]", "Regenerate summaries from their sources", w.op)
	cmd.Long = `Regenerates the texts of summaries from their sources, bottom-up: a summary comes after the
summaries that it is made from.

Without --generate and --apply it estimates the cost; no model is called and nothing is
written. --generate calls the model and shows what differs line by line. --apply calls the
model and writes the texts as one change.`
	cmd.Example = `# One summary, and what it would cost:
lcm-tui rewrite 12 sum_1a2b3c4d5e6f7a8b
# A whole branch, eight calls at once:
lcm-tui rewrite 12 --subtree sum_1a2b3c4d5e6f7a8b --jobs 8 --apply`
	fs := cmd.Flags()
	fs.Var(&w.subtree, "subtree", "this summary and all summaries below it")
	fs.Var(w.depth, "depth", "all summaries of this depth")
	fs.BoolVar(&w.all, "all", false, "every summary of the conversation")
	fs.BoolVar(&w.ancestors, "ancestors", false, "also the summaries above them")
	fs.BoolVar(&w.generate, "generate", false, "call the model and show the texts")
	fs.BoolVar(&w.diff, "diff", true, "show what differs; --diff=false shows the texts before and after")
	fs.Var(w.jobs, "jobs", "the number of calls at the same time")
	fs.BoolVar(&w.timestamps, "timestamps", true, "give the model the times of messages and sources")
	w.Bind(cmd)
	a.BindFormerFlag(cmd, "summary")
	a.CompleteFlag(cmd, "subtree", a.CompleteSummaries)
	return cmd
}

// pick returns what the second argument and the flags mean: exactly one of them.
func (w *rewriteFlags) pick(c *cli.Invocation) (rewrite.Pick, error) {
	p := rewrite.Pick{Subtree: w.subtree.Value, All: w.all, Ancestors: w.ancestors}
	if len(c.Args) > 1 {
		p.Summary = c.Args[1]
	}
	n := 0
	for _, given := range []bool{p.Summary != "", p.Subtree != "", w.depth.IsSet, p.All} {
		if given {
			n++
		}
	}
	if w.depth.IsSet {
		p.Depth = &w.depth.Value
	}
	if n != 1 {
		return p, cli.UsageErrorf("rewrite: expected exactly one of SUMMARY, --subtree SUMMARY, --depth N and --all")
	}
	return p, nil
}

func (w *rewriteFlags) op(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
	pick, err := w.pick(c)
	if err != nil {
		return nil, err
	}
	conv, err := c.Conversation(ctx, "CONV", c.Args[0])
	if err != nil {
		return nil, err
	}
	for _, name := range []*string{&pick.Summary, &pick.Subtree} {
		if *name == "" {
			continue
		}
		s, err := c.Summary(ctx, *name)
		if err != nil {
			return nil, err
		}
		*name = s.ID
	}
	w.Untimed, c.WholeTexts = !w.timestamps, !w.diff
	t, err := w.Tools(c)
	if err != nil {
		return nil, err
	}
	return &rewrite.Op{Conversation: conv, Pick: pick, Options: t.RegenerateOptions(w.jobs, w.generate)}, nil
}
