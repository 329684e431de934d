package fleet

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/fleet"
	"lcm-tui/ui"
)

// fleetCommands are the commands that answer for the copies of other machines, too.
var fleetCommands = map[string]bool{
	"conversations": true, databasesName: true, "describe": true, "doctor": true, "grep": true, "info": true, metricsName: true, searchName: true, "secrets": true, "space": true, "stats": true, "trace": true,
}

// fleetFlag is --fleet: all machines, or those that it names.
type fleetFlag struct {
	names []string
	isSet bool
}

// everyMachine is what --fleet is without a value.
const everyMachine = "*"

// String implements pflag.Value.
func (f *fleetFlag) String() string { return strings.Join(f.names, ",") }

// Type implements pflag.Value; help shows it.
func (*fleetFlag) Type() string { return "NAMES" }

// Set implements pflag.Value.
func (f *fleetFlag) Set(s string) error {
	f.isSet, f.names = true, nil
	if s == everyMachine {
		return nil
	}
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name != "" {
			f.names = append(f.names, name)
		}
	}
	if len(f.names) == 0 {
		return cli.UsageErrorf("expected names of machines, separated by commas")
	}
	return nil
}

// instead gives a command that reads a flag for the copies of other machines, and returns what runs where it is given.
func instead(_ *cli.App, cmd *cobra.Command) func(context.Context, *cli.Invocation) (r cli.Result, runs bool, err error) {
	if !fleetCommands[cmd.Name()] {
		return nil
	}
	chosen := &fleetFlag{}
	cmd.Flags().Var(chosen, "fleet", "answer for the copies of all machines, or with =NAME,… of these; with --db ADDRESS for the sources of a replica")
	cmd.Flags().Lookup("fleet").NoOptDefVal = everyMachine
	return func(ctx context.Context, c *cli.Invocation) (cli.Result, bool, error) {
		if !chosen.isSet {
			return nil, false, nil
		}
		return (&over{c, cmd}).run(ctx, chosen.names)
	}
}

// over runs a command on copies.
type over struct {
	*cli.Invocation
	cmd *cobra.Command
}

// run runs the command once for each chosen copy, and answers with all of it. runs is false where the command itself answers for
// all copies, which it is given then.
func (c *over) run(ctx context.Context, names []string) (r cli.Result, runs bool, err error) {
	cmd := c.cmd
	for _, name := range []string{"apply", "plan-out"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			return nil, true, cli.UsageErrorf("--%s has no effect on copies of other machines; make a plan on one copy with --db, and send it home with %s fleet apply", name, cli.Program)
		}
	}
	var chosen []fleet.State // Nil for the sources of a replica.
	var copies []cli.Copy
	if len(c.Opts.DB.Values) > 0 {
		copies, err = cli.SourcesOf(ctx, c.App, names...)
	} else if chosen, err = c.Fleet().Chosen(names...); err == nil {
		copies = c.CopiesOf(chosen)
	}
	if err != nil {
		return nil, true, err
	}
	switch c.Name {
	case searchName:
		if _, order := limitOf(cmd); order == "newest" || order == "oldest" {
			c.Copies = copies
			return nil, false, nil
		}
	case databasesName:
		if chosen == nil {
			return nil, true, cli.UsageErrorf("%s --db ADDRESS lists the sources of a replica without --fleet", databasesName)
		}
		r, err = c.databases(ctx, chosen, copies)
		return r, true, err
	case metricsName:
		if !c.Opts.JSON {
			r, err = c.metrics(ctx, chosen, copies)
			return r, true, err
		}
	}
	return c.askAll(ctx, copies)
}

// askAll runs the command on one copy after another. As text each answer is printed when it is there.
func (c *over) askAll(ctx context.Context, copies []cli.Copy) (r cli.Result, runs bool, err error) {
	all := &fleetResult{Fleet: make([]fleetAnswer, len(copies)), now: c.Now()}
	var p *cli.Printer
	if !c.Opts.JSON && c.Name != searchName {
		p = c.NewPrinter()
	}
	for i, one := range copies {
		if err := ctx.Err(); err != nil {
			return nil, true, err
		}
		all.Fleet[i].Copy = one
		if one.Database != "" {
			c.askCopy(ctx, &all.Fleet[i])
		}
		copies[i] = all.Fleet[i].Copy
		if p != nil {
			all.printOne(p, i)
			_ = p.Flush() // The printer keeps the error.
		}
	}
	c.Exit = cli.ExitOf(copies)
	if p != nil {
		return nil, true, p.Flush()
	}
	if limit, order := 0, ""; c.Name == searchName {
		limit, order = limitOf(c.cmd)
		return all.mergeHits(limit, order == "best"), true, nil
	}
	return all, true, nil
}

// askCopy runs the command on one copy.
func (c *over) askCopy(ctx context.Context, answer *fleetAnswer) {
	args := append([]string{"--db", answer.Database}, withoutFleet(c.Arguments)...)
	if c.Name == searchName && !c.Opts.JSON {
		args = append([]string{"--json"}, args...)
	}
	answer.printed, answer.Error, answer.Exit = c.Again(ctx, args...)
	answer.Error = strings.TrimSpace(answer.Error)
	if (c.Opts.JSON || c.Name == searchName) && json.Valid([]byte(answer.printed)) {
		answer.Result = json.RawMessage(strings.TrimSpace(answer.printed))
	}
}

// withoutFleet returns the arguments of a command line without --fleet and --db.
func withoutFleet(args []string) (out []string) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--":
			return append(out, args[i:]...)
		case a == "--db":
			i++ // Its value.
		case a != "--fleet" && !strings.HasPrefix(a, "--fleet=") && !strings.HasPrefix(a, "--db="):
			out = append(out, a)
		}
	}
	return out
}

// fleetAnswer is what a command says of one copy.
type fleetAnswer struct {
	cli.Copy
	Result json.RawMessage `json:"result,omitempty"`

	printed string
}

// kind returns what the copy is.
func (a *fleetAnswer) kind() string {
	if a.IsReplica {
		return "replica"
	}
	return "copy"
}

// age returns how old the copy is.
func (a *fleetAnswer) age(now time.Time) string {
	if a.AskedAt.IsZero() {
		return "never whole"
	}
	return ui.Ago(a.AskedAt, now)
}

// fleetResult is what a command says of several copies.
type fleetResult struct {
	Fleet []fleetAnswer `json:"fleet"`
	cli.WarningList

	now time.Time
}

// Print implements cli.Result.
func (r *fleetResult) Print(p *cli.Printer) {
	for i := range r.Fleet {
		r.printOne(p, i)
	}
}

// printOne prints what the command says of one copy.
func (r *fleetResult) printOne(p *cli.Printer, i int) {
	if i > 0 {
		p.Line("")
	}
	a := &r.Fleet[i]
	head := ui.Line(a.Source)
	if a.Database != "" {
		head += p.Styles.Muted.Render("  " + a.kind() + " of " + ui.Line(a.Place) + ", " + a.age(r.now))
	}
	p.Line(p.Styles.Title.Render(head))
	printAnswer(p, "", a.printed)
	printAnswer(p, "", a.Error)
}

// printAnswer prints the lines of what another run printed, each with a text before it.
func printAnswer(p *cli.Printer, before, answer string) {
	for line := range strings.Lines(answer) {
		p.Line(before + strings.TrimRight(ui.Sanitize(line), "\n"))
	}
}
