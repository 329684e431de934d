package fleet

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
)

// fleetCommands are the commands that answer for the copies of other machines, too.
var fleetCommands = map[string]bool{
	"conversations": true, "describe": true, "doctor": true, "grep": true, "info": true, "search": true, "secrets": true, "space": true, "stats": true, "trace": true,
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
	cmd.Flags().Var(chosen, "fleet", "answer for the copies of all machines, or with =NAME,… of these")
	cmd.Flags().Lookup("fleet").NoOptDefVal = everyMachine
	return func(ctx context.Context, c *cli.Invocation) (cli.Result, bool, error) {
		if !chosen.isSet {
			return nil, false, nil
		}
		r, err := (&over{c, cmd}).run(ctx, chosen.names)
		return r, true, err
	}
}

// over runs a command on copies.
type over struct {
	*cli.Invocation
	cmd *cobra.Command
}

// run runs the command once for each chosen copy, and answers with all of it.
func (c *over) run(ctx context.Context, names []string) (cli.Result, error) {
	cmd := c.cmd
	if len(c.Opts.DB.Values) > 0 {
		return nil, cli.UsageErrorf("--fleet has no effect with --db: it names the copies itself")
	}
	for _, name := range []string{"apply", "plan-out"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			return nil, cli.UsageErrorf("--%s has no effect on copies of other machines; make a plan on one copy with --db, and send it home with %s fleet apply", name, cli.Program)
		}
	}
	chosen, err := c.Fleet().Chosen(names...)
	if err != nil {
		return nil, err
	}
	r := &fleetResult{Fleet: make([]fleetAnswer, 0, len(chosen)), now: c.now()}
	for _, t := range chosen {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		answer := fleetAnswer{Source: t.Name, Place: t.Place(), asked: t.CheckedAt}
		path, err := c.Fleet().Path(t)
		if err != nil {
			answer.Error = err.Error()
			if next := hint.Of(err); next != "" {
				answer.Error += "\nhint: " + next
			}
		} else {
			age := r.now.Sub(t.CheckedAt).Seconds()
			answer.Database, answer.Age = path, &age
			c.askCopy(ctx, path, &answer)
		}
		r.Fleet = append(r.Fleet, answer)
	}
	c.Exit = r.exit()
	if c.Name == searchName {
		return r.mergeHits(limitOf(cmd)), nil
	}
	return r, nil
}

func (c *over) now() time.Time {
	if c.Sys.Now != nil {
		return c.Sys.Now()
	}
	return time.Now()
}

// askCopy runs the command on one copy.
func (c *over) askCopy(ctx context.Context, path string, answer *fleetAnswer) {
	args := append([]string{"--db", path}, withoutFleet(c.Arguments)...)
	if c.Name == searchName && !c.Opts.JSON {
		args = append([]string{"--json"}, args...)
	}
	answer.printed, answer.Error, answer.Exit = c.Again(ctx, args...)
	answer.Error = strings.TrimSpace(answer.Error)
	if (c.Opts.JSON || c.Name == searchName) && json.Valid([]byte(answer.printed)) {
		answer.Result = json.RawMessage(strings.TrimSpace(answer.printed))
	}
}

// withoutFleet returns the arguments of a command line without --fleet.
func withoutFleet(args []string) []string {
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	out := slices.DeleteFunc(slices.Clone(args[:end]), func(a string) bool { return a == "--fleet" || strings.HasPrefix(a, "--fleet=") })
	return append(out, args[end:]...)
}

// fleetAnswer is what a command says of one copy.
type fleetAnswer struct {
	Source   string          `json:"source"`
	Place    string          `json:"place"`
	Database string          `json:"database,omitempty"`
	Age      *float64        `json:"age_seconds,omitempty"` // Since the machine was asked last with success.
	Exit     int             `json:"exit"`
	Result   json.RawMessage `json:"result,omitempty"`
	Error    string          `json:"error,omitempty"`

	asked   time.Time
	printed string
}

// fleetResult is what a command says of several copies.
type fleetResult struct {
	Fleet []fleetAnswer `json:"fleet"`
	cli.WarningList

	now time.Time
}

// exit returns the exit code for all: that of findings before that of failures, and that of having found nothing only where
// nobody found anything.
func (r *fleetResult) exit() int {
	var codes []int
	for _, a := range r.Fleet {
		code := a.Exit
		if a.Database == "" {
			code = cli.ExitFailed
		}
		codes = append(codes, code)
	}
	for _, code := range []int{cli.ExitFindings, cli.ExitFailed} {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return slices.Min(codes)
}

// Print implements cli.Result.
func (r *fleetResult) Print(p *cli.Printer) {
	for i, a := range r.Fleet {
		if i > 0 {
			p.Line("")
		}
		head := ui.Line(a.Source)
		if a.Database != "" {
			head += p.Styles.Muted.Render("  copy of " + ui.Line(a.Place) + ", " + ui.Ago(a.asked, r.now))
		}
		p.Line(p.Styles.Title.Render(head))
		for line := range strings.Lines(a.printed) {
			p.Line(strings.TrimRight(ui.Sanitize(line), "\n"))
		}
		if a.Error != "" {
			for line := range strings.Lines(a.Error) {
				p.Line(strings.TrimRight(ui.Sanitize(line), "\n"))
			}
		}
	}
}
