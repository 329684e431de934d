package change

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	engine "lcm-tui/engine/compact"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
)

// compactFlags is the flags of compact.
type compactFlags struct {
	cli.SummaryFlags
	budget, until, stopAt *cli.IntegerFlag
	force, leafOnly, hard bool
	generate, all         bool
	eachPass              bool
	singleRoot, unlimited bool             // Of backfill.
	freshTail             *cli.IntegerFlag // Of backfill; nil is as configured.
	agent                 cli.TextFlag
}

func newCompacting() *compactFlags {
	return &compactFlags{budget: cli.AtLeast(1, "TOKENS"), until: cli.AtLeast(1, "TOKENS"), stopAt: cli.AtLeast(1, "TOKENS")}
}

func compactCommand(a *cli.App) *cobra.Command {
	k := newCompacting()
	cmd := a.Operation("compact [CONV]", "Compact a context that is too full", k.op)
	cmd.Long = `Compacts a context as the host would: it summarizes the oldest messages outside the fresh
tail, and condenses older summaries.

Without flags it estimates the cost; no model is called and nothing is written. --generate
calls the model and shows the summaries. --apply calls the model and writes them as one
change; if a call fails, those made before it are written, as by the host. A run that is
interrupted writes nothing, but what --each-pass wrote stays. --all and --agent take every
active conversation that is over its threshold, and write a few conversations at a time.`
	cmd.Example = `# What would it take?
lcm-tui compact 12
# Without any account, by the summarizer that is built in:
lcm-tui compact 12 --force --provider extractive --generate
# Write it:
lcm-tui compact 12 --apply`
	fs := cmd.Flags()
	fs.BoolVar(&k.generate, "generate", false, "call the model and show the summaries")
	k.agent.Noun = "NAME"
	fs.BoolVar(&k.all, "all", false, "every active conversation that is over its threshold")
	fs.Var(&k.agent, "agent", "every such conversation of this agent")
	fs.BoolVar(&k.eachPass, "each-pass", false, "with --apply, write every pass as its own change, which stays if the run is interrupted")
	fs.BoolVar(&k.force, "force", false, "also compact below the threshold")
	fs.Var(k.budget, "budget", "the context's token budget")
	fs.Var(k.until, "until", "compact until no more tokens than this are left")
	fs.Var(k.stopAt, "stop-at", "end a sweep at this number of tokens")
	fs.BoolVar(&k.leafOnly, "leaf-only", false, "make one leaf, and the condensed summaries that are due")
	fs.BoolVar(&k.hard, "hard", false, "condense with the smaller fanout from the start")
	k.Bind(cmd)
	return cmd
}

func (k *compactFlags) op(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
	many := k.all || k.agent.Value != ""
	if many == (len(c.Args) == 1) {
		return nil, cli.UsageErrorf("compact: expected a conversation id or session key, or --all, or --agent NAME")
	}
	var conv lcm.Conversation
	db, err := c.Open(ctx)
	if err == nil && !many {
		_, conv, err = c.OpenConversation(ctx)
	}
	if err != nil {
		return nil, err
	}
	t, err := k.Tools(c)
	if err != nil {
		return nil, err
	}
	budgets, err := lcm.Budgets(ctx, db)
	if err != nil {
		return nil, err
	}
	if !many {
		return k.one(ctx, db, conv, budgets[conv.ID], t)
	}
	return k.many(ctx, db, budgets, t)
}

// one returns the compaction of a conversation, of whose budget the host may have noted
// something.
func (k *compactFlags) one(ctx context.Context, db *data.DB, conv lcm.Conversation, noted int64, t cli.Summarizer) (*compact.Op, error) {
	conf, caveat, err := t.Settings.ForConversation(ctx, db, conv)
	if err != nil {
		return nil, err
	}
	r := engine.Request{
		Mode: engine.Sweep, Config: conf.Compaction(), Budget: k.budget.Value, Force: k.force, Hard: k.hard,
		StopAt: k.stopAt.Value, Target: k.until.Value, Fallback: k.Fallback, Job: t.Job,
	}
	if k.freshTail != nil && k.freshTail.IsSet {
		r.Config.FreshTailCount = int(k.freshTail.Value)
	}
	if r.SingleRoot = k.singleRoot; k.unlimited {
		r.Config.MaxSweepIterations, r.Config.SweepDeadlineMS = 0, 0
	}
	switch {
	case k.leafOnly:
		r.Mode = engine.Leaf
	case k.until.IsSet:
		r.Mode = engine.Until
	}
	if r.Budget == 0 {
		r.Budget = noted
	}
	return &compact.Op{Conversation: conv.ID, Request: r, Model: t.Model, Generate: k.generate, EachPass: k.eachPass, Caveat: caveat}, nil
}

// many returns the compaction of all active conversations, or of an agent's, that are
// over their threshold.
func (k *compactFlags) many(ctx context.Context, db *data.DB, budgets map[int64]int64, t cli.Summarizer) (ops.Op, error) {
	all, stats, err := cli.CountedConversations(ctx, db)
	if err != nil {
		return nil, err
	}
	if err := cli.UnknownAgent(all, k.agent.Value); err != nil {
		return nil, fmt.Errorf("compact: %w: %w", err, ops.ErrNothing)
	}
	m := &compact.Many{}
	for _, conv := range all {
		if !conv.Active || conv.OnlyPrompts() || k.agent.Value != "" && conv.Agent() != k.agent.Value {
			continue
		}
		o, err := k.one(ctx, db, conv, budgets[conv.ID], t)
		if err != nil {
			return nil, err
		}
		if n := stats[conv.ID]; k.force || k.until.IsSet || n != nil && o.Request.Config.Due(n.ContextTokens, 0, budgetOf(o)) {
			m.Ops = append(m.Ops, o)
		}
	}
	return m, nil
}

// budgetOf returns a compaction's budget, or the default where nothing names one.
func budgetOf(o *compact.Op) int64 {
	if o.Request.Budget > 0 {
		return o.Request.Budget
	}
	return assemble.DefaultBudget
}
