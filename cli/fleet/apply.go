package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/fleet"
	"lcm-tui/ui"
)

// apply runs the action apply: the machine that has the database writes the plan, under its own guards.
func (f *fleetFlags) apply(ctx context.Context, c *cli.Invocation, s fleet.Store) (cli.Result, error) {
	name, plan := c.Args[0], c.Args[1]
	t, err := s.Get(name)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(plan); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() || info.Size() > fleet.MaxPlan {
		return nil, cli.UsageErrorf("%s is no plan file", plan)
	}
	r := &applyResult{Machine: name}
	if t.Host == "" {
		r.applyHere(ctx, c, plan, t.Path, f.dry)
	} else {
		r.output, r.Exit, err = fleet.Apply(ctx, t.Source, plan, f.dry, c.Opts.JSON, f.options())
	}
	if !f.dry {
		noted := s.NoteOrder(name, fleet.NewOrder(s.Now(), plan, r.Exit, r.answerText(), err))
		if noted != nil && err == nil {
			c.CommandWarnings = append(c.CommandWarnings, fmt.Errorf("fleet status won't list it: %w", noted))
		}
	}
	if err != nil {
		return nil, err
	}
	switch {
	case json.Valid([]byte(r.output)):
		r.Result = json.RawMessage(r.output)
	case r.Exit != 0:
		r.Error = strings.TrimSpace(r.output)
	}
	c.Exit = r.Exit
	return r, nil
}

// applyResult is the result of fleet apply: what the machine output.
type applyResult struct {
	Machine string          `json:"machine"`
	Exit    int             `json:"exit"` // That of lcm-tui apply there.
	Result  json.RawMessage `json:"result,omitempty"`
	Error   string          `json:"error,omitempty"` // What was printed in the place of a result.
	cli.WarningList

	output string
}

// applyHere applies a plan to a database of this machine. Why that failed is a part of the output, as it is of another machine's.
func (r *applyResult) applyHere(ctx context.Context, c *cli.Invocation, plan, database string, dry bool) {
	args := []string{"apply", plan, "--db", database}
	if dry {
		args = append(args, "--dry-run")
	}
	if c.Opts.JSON {
		args = append(args, "--json")
	}
	if c.Opts.Wait.IsSet {
		args = append(args, "--wait", c.Opts.Wait.String())
	}
	var messages string
	if r.output, messages, r.Exit = c.Again(ctx, args...); r.Exit == 0 {
		_, _ = io.WriteString(c.Sys.Err, messages)
		return
	}
	r.output += messages
}

// answerText returns what is noted of the machine's answer. Of JSON that is the title of the record.
func (r *applyResult) answerText() string {
	var answer struct {
		Record *struct{ Title string } `json:"record"`
	}
	switch {
	case !json.Valid([]byte(r.output)):
		return r.output
	case json.Unmarshal([]byte(r.output), &answer) == nil && answer.Record != nil:
		return answer.Record.Title
	}
	return ""
}

// Print implements cli.Result.
func (r *applyResult) Print(p *cli.Printer) {
	printAnswer(p, ui.Line(r.Machine)+"  ", r.output)
	if r.Exit != 0 {
		p.Linef("%s: lcm-tui apply ended with %d there", ui.Line(r.Machine), r.Exit)
	}
}
