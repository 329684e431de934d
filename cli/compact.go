package cli

import (
	"context"

	"github.com/spf13/cobra"

	engine "lcm-tui/engine/compact"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
)

// compacting is the flags of compact.
type compacting struct {
	workshop
	budget, until, stopAt *number
	force, leafOnly, hard bool
	generate              bool
}

func (a *app) compact() *cobra.Command {
	k := &compacting{budget: atLeast(1, "TOKENS"), until: atLeast(1, "TOKENS"), stopAt: atLeast(1, "TOKENS")}
	cmd := a.operation("compact CONV", "Summarize what a context has outgrown", k.op)
	cmd.Long = `Summarizes the oldest messages of a context that is too full, and condenses what was
summarized before, exactly as the host would. First it estimates and calls no model;
with --generate it makes the summaries and shows each beside its source; with --apply
it also writes them, as one change.`
	cmd.Example = `# What would it take?
lcm-tui compact 12
# Without any account, by the summarizer that is built in:
lcm-tui compact 12 --force --provider extractive --generate
# Write it:
lcm-tui compact 12 --apply`
	fs := cmd.Flags()
	fs.BoolVar(&k.generate, "generate", false, "make the summaries and show them")
	fs.BoolVar(&k.force, "force", false, "compact below the threshold too")
	fs.Var(k.budget, "budget", "the context's token budget")
	fs.Var(k.until, "until", "compact until no more tokens than this are left")
	fs.Var(k.stopAt, "stop-at", "end a sweep at this size")
	fs.BoolVar(&k.leafOnly, "leaf-only", false, "one leaf and what is due above it")
	fs.BoolVar(&k.hard, "hard", false, "condense with the smaller fanout at once")
	k.bind(cmd)
	return cmd
}

func (k *compacting) op(ctx context.Context, c *call) (ops.Op, error) {
	conv, err := identity("CONV", c.args[0])
	if err != nil {
		return nil, err
	}
	if k.leafOnly && (k.until.set || k.hard || k.stopAt.set) {
		return nil, misused("--leaf-only excludes --until, --hard and --stop-at, which are for sweeps")
	}
	if _, err := c.open(ctx); err != nil {
		return nil, err
	}
	t, err := k.tools(c)
	if err != nil {
		return nil, err
	}
	r := engine.Request{
		Mode: engine.Sweep, Config: t.config, Budget: k.budget.value, Force: k.force, Hard: k.hard,
		StopAt: k.stopAt.value, Target: k.until.value, Fallback: k.fallback, Job: t.job,
	}
	switch {
	case k.leafOnly:
		r.Mode = engine.Leaf
	case k.until.set:
		r.Mode = engine.Until
	}
	if r.Budget == 0 {
		if r.Budget, err = c.db.Budget(ctx, conv); err != nil {
			return nil, err
		}
	}
	return &compact.Op{Conversation: conv, Request: r, Model: t.model, Generate: k.generate}, nil
}
