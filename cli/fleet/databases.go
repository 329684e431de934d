package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/fleet"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// databasesName is the command that lists the copies, one line each, with what is known of each machine.
const databasesName = "databases"

// databases lists the chosen copies.
func (c *over) databases(ctx context.Context, chosen []fleet.State, copies []cli.Copy) (cli.Result, error) {
	known := newStates(chosen, c.App)
	r := &fleetDatabases{Fleet: make([]fleetDatabase, len(copies)), states: known}
	listed, err := c.listCopies(ctx, copies)
	for i, one := range copies {
		if one.Database != "" {
			if r.Fleet[i].Result = listed[one.Database]; r.Fleet[i].Result == nil {
				one.Exit, one.Error = cli.ExitFailed, errors.Join(errors.New("what the copy holds can't be read"), err).Error()
			}
		}
		m := known.Machines[i]
		r.Fleet[i].Copy, r.Fleet[i].Grew, r.Fleet[i].Health, r.Fleet[i].PullError = one, m.Grew, m.Health, m.Error
		copies[i] = one
	}
	c.Exit = cli.ExitOf(copies)
	return r, ctx.Err()
}

// listCopies returns what databases says of each copy, by its path.
func (c *over) listCopies(ctx context.Context, copies []cli.Copy) (map[string]json.RawMessage, error) {
	args := []string{databasesName, "--json"}
	for _, one := range copies {
		if one.Database != "" {
			args = append(args, "--db", one.Database)
		}
	}
	if len(args) == 2 {
		return nil, nil
	}
	printed, messages, _ := c.Again(ctx, args...)
	var all struct{ Databases []json.RawMessage }
	if err := json.Unmarshal([]byte(printed), &all); err != nil {
		return nil, errors.New(strings.TrimSpace(messages))
	}
	out := map[string]json.RawMessage{}
	for _, one := range all.Databases {
		var is struct{ Path string }
		if json.Unmarshal(one, &is) == nil {
			out[is.Path] = one
		}
	}
	return out, nil
}

// fleetDatabase is the copy of a machine as databases lists it.
type fleetDatabase struct {
	cli.Copy
	Grew      *int64          `json:"grew_bytes"`           // Since the copy before.
	Health    *health         `json:"health"`               // Null where the copy wasn't checked.
	PullError string          `json:"pull_error,omitempty"` // Why the last try to fetch it failed.
	Result    json.RawMessage `json:"result,omitempty"`     // As databases lists a database of this machine.
}

// fleetDatabases is the result of databases --fleet.
type fleetDatabases struct {
	Fleet []fleetDatabase `json:"fleet"`
	cli.WarningList

	states *states
}

// Print implements cli.Result.
func (r *fleetDatabases) Print(p *cli.Printer) {
	rows := make([][]string, len(r.Fleet))
	for i, d := range r.Fleet {
		var read struct {
			Kind, Generation, Problem *string
			Messages                  *int64
		}
		_ = json.Unmarshal(d.Result, &read) // What isn't there is left out.
		m := r.states.Machines[i]
		kind, messages, state := "", "", m.Health.words()
		if read.Kind != nil && read.Generation != nil {
			kind = *read.Kind + " " + *read.Generation
		}
		if read.Messages != nil {
			messages = ui.Num(*read.Messages)
		}
		if read.Problem != nil {
			state = "! " + *read.Problem
		}
		cells := m.cells(r.states.now)
		rows[i] = []string{cells.name, cells.place, ui.Line(kind), messages, cells.size, cells.grew, cells.age, ui.Line(state)}
	}
	p.Table([]cli.Column{
		{Title: "machine"},
		{Title: "place", Grows: true},
		{Title: "kind", Spare: true},
		{Title: "messages", Right: true, Spare: true},
		{Title: "size", Right: true},
		{Title: "grew", Right: true, Spare: true},
		{Title: "age", Right: true},
		{Title: "health"},
	}, rows)
	for _, d := range r.Fleet {
		if why := strings.TrimSpace(d.PullError + "\n" + d.Error); why != "" {
			cli.PrintProblem(p, d.Source, why)
		}
	}
	p.Muted(plural.Count(len(rows), "machine", "machines"))
}
