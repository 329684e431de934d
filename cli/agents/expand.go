package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/retrieve"
)

// expansions is the result of expand for several summaries or a query.
type expansions struct {
	*retrieve.Expansions
	cli.WarningList
}

// expansion is the result of expand for one summary.
type expansion struct {
	*retrieve.Expansion
	CitedIDs []string `json:"citedIds"`
	cli.WarningList
	all *retrieve.Expansions
}

// expandFlags is what expand shows.
type expandFlags struct {
	scope           cli.ScopeFlags
	depth, tokenCap *cli.IntegerFlag
	messages, full  bool
	query           cli.TextFlag
}

func expandCommand(a *cli.App) *cobra.Command {
	f := expandFlags{depth: cli.AtLeast(0, "N").Preset(retrieve.DefaultExpandDepth), tokenCap: cli.AtLeast(1, "N"), query: cli.TextFlag{Noun: "TEXT"}}
	cmd := a.Command(cli.GroupAgents, "expand [SUMMARY...]", "Show what summaries were made from", f.run)
	cmd.Long = `Prints what the agent tool lcm_expand answers: the summaries that each SUMMARY was made from,
theirs in turn, and with --messages the messages at the end of the way. --full prints their
whole texts; without it there are ids, tokens and the start of the first text.

The first summary or message that doesn't fit under --token-cap ends the answer. --query
expands, instead of summaries that are named, the newest 50 that hold all words of a text.

Writes nothing.`
	cmd.Example = "  lcm-tui expand sum_1a2b3c4d5e6f7a8b --depth 1\n  lcm-tui expand sum_1a2b3c4d5e6f7a8b --messages --full\n  lcm-tui expand --query 'retry queue' --token-cap 4000"
	cmd.ValidArgsFunction = a.CompleteDescribed
	f.scope.Bind(a, cmd)
	flags := cmd.Flags()
	flags.Var(f.depth, "depth", "how many steps to go towards the messages")
	flags.Var(f.tokenCap, "token-cap", "the most tokens of all that is shown (default: no limit)")
	flags.BoolVar(&f.messages, "messages", false, "go down to the messages")
	flags.BoolVar(&f.full, "full", false, "print whole texts")
	flags.Var(&f.query, "query", "expand the summaries that hold all words and quoted phrases of this text")
	return cmd
}

func (f *expandFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if len(c.Args) == 0 && f.query.Value == "" {
		return nil, cli.UsageErrorf("expected %s, or --query TEXT", cli.ArgumentKinds["SUMMARY..."])
	}
	db, scope, ids, err := resolveSummaries(ctx, c, &f.scope, c.Args)
	if err != nil {
		return nil, err
	}
	r := retrieve.ExpandRequest{
		Summaries: ids, Query: f.query.Value, MaxDepth: &f.depth.Value, TokenCap: f.tokenCap.Given(), Messages: f.messages, Full: f.full,
	}
	e, err := r.Run(ctx, db, scope)
	if err != nil {
		return nil, retrievalError(err)
	}
	for _, note := range e.Notes {
		db.Warn(errors.New(note))
	}
	e.Notes = nil
	if f.hidesMessages(e) && !c.Opts.JSON {
		fmt.Fprintln(c.Sys.Err, "note: leaves are made of messages, which "+f.messagesCommand()+" prints")
	}
	if len(c.Args) == 1 && len(e.Expansions) == 1 {
		return &expansion{Expansion: e.Expansions[0], CitedIDs: e.CitedIDs, all: e}, nil
	}
	return &expansions{Expansions: e}, nil
}

// hidesMessages reports whether a summary shows nothing because it was made of messages, which
// nobody asked for.
func (f *expandFlags) hidesMessages(e *retrieve.Expansions) bool {
	return !f.messages && f.depth.Value > 0 && slices.ContainsFunc(e.Expansions, func(x *retrieve.Expansion) bool {
		return len(x.Children) == 0 && !x.Truncated && x.Withheld == 0
	})
}

// messagesCommand returns what prints the messages of a leaf. A query has no way to ask for them.
func (f *expandFlags) messagesCommand() string {
	if f.query.Value != "" {
		return cli.Program + " expand SUMMARY --messages --full"
	}
	return "--messages"
}

func (e *expansion) Print(p *cli.Printer) { p.Answer(e.all.Text()) }

func (e *expansions) Print(p *cli.Printer) { p.Answer(e.Expansions.Text()) }
