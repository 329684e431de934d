package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	engine "lcm-tui/engine/compact"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
)

// compactFlags is the flags of compact.
type compactFlags struct {
	summaryFlags
	budget, until, stopAt *integerFlag
	force, leafOnly, hard bool
	generate, all         bool
	eachPass              bool
	singleRoot, unlimited bool         // Of backfill.
	freshTail             *integerFlag // Of backfill; nil is as configured.
	agent                 textFlag
}

func newCompacting() *compactFlags {
	return &compactFlags{budget: atLeast(1, "TOKENS"), until: atLeast(1, "TOKENS"), stopAt: atLeast(1, "TOKENS")}
}

func (a *app) compact() *cobra.Command {
	k := newCompacting()
	cmd := a.operation("compact [CONV]", "Compact a context that is too full", k.op)
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
	k.agent.noun = "NAME"
	fs.BoolVar(&k.all, "all", false, "every active conversation that is over its threshold")
	fs.Var(&k.agent, "agent", "every such conversation of this agent")
	fs.BoolVar(&k.eachPass, "each-pass", false, "with --apply, write every pass as its own change, which stays if the run is interrupted")
	fs.BoolVar(&k.force, "force", false, "also compact below the threshold")
	fs.Var(k.budget, "budget", "the context's token budget")
	fs.Var(k.until, "until", "compact until no more tokens than this are left")
	fs.Var(k.stopAt, "stop-at", "end a sweep at this number of tokens")
	fs.BoolVar(&k.leafOnly, "leaf-only", false, "make one leaf, and the condensed summaries that are due")
	fs.BoolVar(&k.hard, "hard", false, "condense with the smaller fanout from the start")
	k.bind(cmd)
	return cmd
}

func (k *compactFlags) op(ctx context.Context, c *invocation) (ops.Op, error) {
	many := k.all || k.agent.value != ""
	if many == (len(c.args) == 1) {
		return nil, usageErrorf("compact: expected a conversation id or session key, or --all, or --agent NAME")
	}
	var conv lcm.Conversation
	db, err := c.open(ctx)
	if err == nil && !many {
		_, conv, err = c.openConversation(ctx)
	}
	if err != nil {
		return nil, err
	}
	t, err := k.tools(c)
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

// one is the compaction of a conversation, of whose budget the host may have noted
// something.
func (k *compactFlags) one(ctx context.Context, db *data.DB, conv lcm.Conversation, noted int64, t summarizer) (*compact.Op, error) {
	conf, caveat, err := t.settings.ForConversation(ctx, db, conv)
	if err != nil {
		return nil, err
	}
	r := engine.Request{
		Mode: engine.Sweep, Config: conf.Compaction(), Budget: k.budget.value, Force: k.force, Hard: k.hard,
		StopAt: k.stopAt.value, Target: k.until.value, Fallback: k.fallback, Job: t.job,
	}
	if k.freshTail != nil && k.freshTail.IsSet {
		r.Config.FreshTailCount = int(k.freshTail.value)
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
	return &compact.Op{Conversation: conv.ID, Request: r, Model: t.model, Generate: k.generate, EachPass: k.eachPass, Caveat: caveat}, nil
}

// many is the compaction of all active conversations, or of an agent's, that are
// over their threshold.
func (k *compactFlags) many(ctx context.Context, db *data.DB, budgets map[int64]int64, t summarizer) (ops.Op, error) {
	all, stats, err := counted(ctx, db)
	if err != nil {
		return nil, err
	}
	if err := unknownAgent(all, k.agent.value); err != nil {
		return nil, fmt.Errorf("compact: %w: %w", err, ops.ErrNothing)
	}
	m := &compact.Many{}
	for _, conv := range all {
		if !conv.Active || k.agent.value != "" && conv.Agent() != k.agent.value {
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

// budgetOf is a compaction's budget, or the default where nothing names one.
func budgetOf(o *compact.Op) int64 {
	if o.Request.Budget > 0 {
		return o.Request.Budget
	}
	return assemble.DefaultBudget
}
