package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
)

// rewriteFlags is the flags of rewrite.
type rewriteFlags struct {
	summaryFlags
	summary, subtree textFlag
	depth, jobs      *integerFlag
	all, ancestors   bool
	timestamps       bool
	generate, diff   bool
}

func (a *app) rewrite() *cobra.Command {
	w := &rewriteFlags{depth: atLeast(0, "N"), jobs: atLeast(1, "N").preset(1)}
	w.summary.noun, w.subtree.noun = "ID", "ID"
	cmd := a.operation("rewrite CONV", "Regenerate summaries from their sources", w.op)
	cmd.Long = `Regenerates the texts of summaries from their sources, bottom-up: a summary comes after the
summaries that it is made from.

Without flags it estimates the cost; no model is called and nothing is written. --generate
calls the model and shows what differs line by line. --apply calls the model and writes the
texts as one change.`
	cmd.Example = `# One summary, and what it would cost:
lcm-tui rewrite 12 --summary sum_1a2b3c4d5e6f7a8b
# A whole branch, eight calls at once:
lcm-tui rewrite 12 --subtree sum_1a2b3c4d5e6f7a8b --jobs 8 --apply`
	fs := cmd.Flags()
	fs.Var(&w.summary, "summary", "this summary")
	fs.Var(&w.subtree, "subtree", "this summary and all summaries below it")
	fs.Var(w.depth, "depth", "all summaries of this depth")
	fs.BoolVar(&w.all, "all", false, "every summary of the conversation")
	fs.BoolVar(&w.ancestors, "ancestors", false, "also the summaries above them")
	fs.BoolVar(&w.generate, "generate", false, "call the model and show the texts")
	fs.BoolVar(&w.diff, "diff", true, "show what differs; --diff=false shows the texts before and after")
	fs.Var(w.jobs, "jobs", "the number of calls at the same time")
	fs.BoolVar(&w.timestamps, "timestamps", true, "give the model the times of messages and sources")
	w.bind(cmd)
	for _, flag := range []string{"summary", "subtree"} {
		a.completeFlag(cmd, flag, a.completeSummaries)
	}
	return cmd
}

// pick is what the flags mean: exactly one of them.
func (w *rewriteFlags) pick() (rewrite.Pick, error) {
	p := rewrite.Pick{Summary: w.summary.value, Subtree: w.subtree.value, All: w.all, Ancestors: w.ancestors}
	n := 0
	for _, given := range []bool{p.Summary != "", p.Subtree != "", w.depth.IsSet, p.All} {
		if given {
			n++
		}
	}
	if w.depth.IsSet {
		p.Depth = &w.depth.value
	}
	if n != 1 {
		return p, usageErrorf("rewrite: expected exactly one of --summary ID, --subtree ID, --depth N and --all")
	}
	return p, nil
}

func (w *rewriteFlags) op(ctx context.Context, c *invocation) (ops.Op, error) {
	pick, err := w.pick()
	if err != nil {
		return nil, err
	}
	conv, err := c.conversation(ctx, "CONV", c.args[0])
	if err != nil {
		return nil, err
	}
	w.untimed, c.wholeTexts = !w.timestamps, !w.diff
	t, err := w.tools(c)
	if err != nil {
		return nil, err
	}
	return &rewrite.Op{Conversation: conv, Pick: pick, Options: t.regenerateOptions(w.jobs, w.generate)}, nil
}
