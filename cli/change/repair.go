package change

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// repairFlags is the flags of repair.
type repairFlags struct {
	cli.SummaryFlags
	faults               faultList
	choose               cli.RepeatedWords
	findings, skip       cli.RepeatedWords
	jobs, calls          *cli.IntegerFlag
	dollars              cli.DollarFlag
	all, generate, quiet bool
	verbose, quietOK     bool
}

func newRepairing() *repairFlags {
	return &repairFlags{
		jobs: cli.AtLeast(1, "N").Preset(1), calls: cli.AtLeast(1, "N"),
		findings: cli.RepeatedWords{Noun: "FINDINGS"}, skip: cli.RepeatedWords{Noun: "FINDINGS"}, choose: cli.RepeatedWords{Noun: "FINDING=WHAT", Whole: true},
	}
}

func repairCommand(a *cli.App) *cobra.Command {
	r := newRepairing()
	cmd := a.Operation("repair [CONV] [SUMMARY...]", "Repair what the doctor finds", r.op)
	cmd.Long = `Repairs what lcm-tui doctor finds in a conversation, about some of its summaries or, with
--all, in the whole file: links, context, messages, summaries, counters and search tables, in
this order.

What only looks like damage is left alone. Where nothing in the file decides how to repair
it, the choices are listed for --choose. Summaries that no model wrote are regenerated from
their sources by the model that is configured or named; without one they are listed.
Messages that are stored twice leave the context; their rows are deleted only where the
conversation is over. The text of a summary is deleted only where you choose it.

Without --apply it only shows what would change; --generate also calls the model. With
--apply it writes, after a verified backup where messages or summaries are deleted. The exit
code is 3 where nothing is wrong; with --quiet-ok it is 0.`
	cmd.Example = `# What is wrong with it, and what would change?
lcm-tui repair 12
# Only what is wrong with one summary:
lcm-tui repair 12 sum_1a2b3c4d5e6f7a8b
# Two faults only, and write it:
lcm-tui repair 12 --fault C01,C06 --apply
# Of two messages that say the same the second leaves the context:
lcm-tui repair 12 --choose M01:4711=drop --apply`
	fs := cmd.Flags()
	fs.BoolVar(&r.all, "all", false, "repair the file and all its conversations")
	fs.Var(&r.faults, "fault", "these faults only, such as C06,Q01 or all of a group, C")
	fs.Var(&r.findings, "finding", "these findings only, such as M01:4711, split by commas")
	fs.Var(&r.skip, "skip", "leave these findings as they are, or the texts of these summaries, split by commas")
	fs.Var(&r.choose, "choose", "decide a finding that leaves a choice, as FINDING=CHOICE; repeatable")
	fs.BoolVar(&r.generate, "generate", false, "call the model and show the summaries")
	fs.BoolVar(&r.quiet, "no-model", false, "leave what only a model can repair")
	fs.Var(r.jobs, "jobs", "the number of calls at the same time")
	fs.Var(r.calls, "max-calls", "the greatest number of calls of the model")
	fs.Var(&r.dollars, "max-cost", "stop before the calls cost more than this many dollars")
	cli.BindOldForce(fs)
	fs.BoolVar(&r.verbose, "verbose", false, "list every row that would change")
	fs.BoolVar(&r.quietOK, "quiet-ok", false, "exit with 0, not 3, where nothing is wrong")
	r.Bind(cmd)
	a.CompleteFlag(cmd, "fault", completeFaults)
	a.BindFormerFlag(cmd, "summary-id")
	return cmd
}

func (r *repairFlags) op(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
	c.Rows = r.verbose
	if r.quietOK {
		c.Quiet = nothingWrong
	}
	choices, err := choicesOf(r.choose.Values)
	switch {
	case err != nil:
		return nil, err
	case r.all == (len(c.Args) > 0):
		return nil, cli.UsageErrorf("repair: expected a conversation id or session key, with summaries of it or without, or --all")
	}
	conv, summaries := int64(0), []string(nil)
	if !r.all {
		if conv, err = c.Conversation(ctx, "CONV", c.Args[0]); err != nil {
			return nil, err
		}
		if summaries, err = c.SummaryIDs(ctx, c.Args[1:]); err != nil {
			return nil, err
		}
	}
	if _, err := c.Open(ctx); err != nil {
		return nil, err
	}
	making, limits, err := r.making(c)
	if err != nil {
		return nil, err
	}
	skip := map[string]bool{}
	for _, name := range r.skip.Values {
		skip[name] = true
	}
	return &repair.Op{
		Conversation: conv, All: r.all, Faults: r.faults.ids, Findings: r.findings.Values, Summaries: summaries, Skip: skip, Choices: choices,
		FilesDir: c.Locations.FilesDir, Limits: limits, Regenerate: making,
	}, nil
}

// nothingWrong returns the result of a repair that finds nothing wrong.
func nothingWrong(err error) (cli.Result, bool) {
	var nothing *repair.NothingError
	if !errors.As(err, &nothing) || len(nothing.Left) > 0 {
		return nil, false
	}
	return &cli.PlanResult{Plan: ops.New("repair", nothing.Error())}, true
}

// making returns how summaries are made, and the limits of the settings in force. Without a
// model all else is repaired, unless one was asked for.
func (r *repairFlags) making(c *cli.Invocation) (regenerate.Options, integrity.Limits, error) {
	r.Limit.Calls, r.Limit.Dollars = int(r.calls.Value), r.dollars.Value
	t, err := r.Tools(c)
	limits := integrity.LimitsOf(t.Settings)
	var usage *cli.UsageError
	asked := r.generate || r.Provider.Value != "" || r.Model.Value != "" || r.Exec.Value != ""
	switch {
	case errors.As(err, &usage), err != nil && asked && !r.quiet:
		return regenerate.Options{}, limits, err
	case r.quiet:
		return regenerate.Options{}, limits, nil
	case err != nil:
		c.CommandWarnings = append(c.CommandWarnings, err)
		return regenerate.Options{}, limits, nil
	}
	return t.RegenerateOptions(r.jobs, r.generate), limits, nil
}

// choicesOf reads FINDING=WHAT, where a finding is FAULT:ROW or all of a fault.
func choicesOf(pairs []string) (map[string]string, error) {
	out := map[string]string{}
	for _, pair := range pairs {
		finding, what, ok := strings.Cut(pair, "=")
		fault, _, _ := strings.Cut(finding, ":")
		if !ok || fault == "" {
			return nil, cli.UsageErrorf("--choose: expected FINDING=WHAT, such as M01:4711=drop, not %q", pair)
		}
		page, _ := integrity.Lookup(faultIDOf(fault))
		alternatives := page.Words()
		switch {
		case len(alternatives) == 0:
			return nil, cli.UsageErrorf("--choose: there is nothing to choose for %s", fault)
		case !slices.Contains(alternatives, what):
			return nil, cli.UsageErrorf("--choose %s: expected %s, not %q", finding, strings.Join(alternatives, " or "), what)
		}
		name := string(page.ID) + finding[len(fault):]
		if was, ok := out[name]; ok {
			return nil, cli.UsageErrorf("--choose: %s is given twice, as %s and %s", name, was, what)
		}
		out[name] = what
	}
	return out, nil
}
