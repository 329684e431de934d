package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/data/openclaw"
	"lcm-tui/fleet"
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
		return UsageErrorf("expected names of machines, separated by commas")
	}
	return nil
}

// bindFleet gives the commands that read a flag for the copies of other machines.
func (a *App) bindFleet(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		if !fleetCommands[cmd.Name()] {
			continue
		}
		cmd.Flags().Var(&a.Opts.fleet, "fleet", "answer for the copies of all machines, or with =NAME,… of these")
		cmd.Flags().Lookup("fleet").NoOptDefVal = everyMachine
	}
}

// FleetNames completes the names of machines.
func FleetNames(a *App, begun string) (names []string) {
	all, _ := a.fleetStore().All()
	for _, t := range all {
		if strings.HasPrefix(t.Name, begun) {
			names = append(names, DescribeCompletion(t.Name, t.Place()))
		}
	}
	return names
}

func (a *App) fleetStore() fleet.Store {
	return fleet.Below(openclaw.OwnState(a.Sys.Env), a.Sys.Now)
}

// overFleet runs the command once for each chosen copy, and answers with all of it.
func (c *Invocation) overFleet(ctx context.Context, cmd *cobra.Command) (Result, error) {
	if len(c.Opts.DB.Values) > 0 {
		return nil, UsageErrorf("--fleet has no effect with --db: it names the copies itself")
	}
	for _, name := range []string{"apply", "plan-out"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			return nil, UsageErrorf("--%s has no effect on copies of other machines; make a plan on one copy with --db, and send it home with %s fleet apply", name, Program)
		}
	}
	chosen, err := c.fleetStore().Chosen(c.Opts.fleet.names...)
	if err != nil {
		return nil, err
	}
	r := &fleetResult{Fleet: make([]fleetAnswer, 0, len(chosen)), now: c.now()}
	for _, t := range chosen {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		answer := fleetAnswer{Source: t.Name, Place: t.Place(), asked: t.CheckedAt}
		path, err := c.fleetStore().Path(t)
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

func (c *Invocation) now() time.Time {
	if c.Sys.Now != nil {
		return c.Sys.Now()
	}
	return time.Now()
}

// askCopy runs the command on one copy.
func (c *Invocation) askCopy(ctx context.Context, path string, answer *fleetAnswer) {
	var printed, said bytes.Buffer
	sys := c.Sys
	sys.In, sys.Out, sys.Err = strings.NewReader(""), &printed, &said
	args := append([]string{"--db", path}, withoutFleet(c.args)...)
	if c.Name == searchName && !c.Opts.JSON {
		args = append([]string{"--json"}, args...)
	}
	answer.Exit = Main(ctx, args, sys, c.rooms...)
	answer.printed = printed.String()
	if text := strings.TrimSpace(said.String()); text != "" {
		answer.Error = text
	}
	if (c.Opts.JSON || c.Name == searchName) && json.Valid(printed.Bytes()) {
		answer.Result = json.RawMessage(bytes.TrimSpace(printed.Bytes()))
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
	WarningList

	now time.Time
}

// exit returns the exit code for all: that of findings before that of failures, and that of having found nothing only where
// nobody found anything.
func (r *fleetResult) exit() int {
	var codes []int
	for _, a := range r.Fleet {
		code := a.Exit
		if a.Database == "" {
			code = ExitFailed
		}
		codes = append(codes, code)
	}
	for _, code := range []int{ExitFindings, ExitFailed} {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return slices.Min(codes)
}

// Print implements Result.
func (r *fleetResult) Print(p *Printer) {
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
