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
	for i, one := range copies {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if one.Database != "" { // Named twice, so that it is the only one that is listed.
			printed, messages, exit := c.Again(ctx, databasesName, "--json", "--db", one.Database, "--db", one.Database)
			one.Exit, one.Error = exit, strings.TrimSpace(messages)
			var listed struct{ Databases []json.RawMessage }
			switch err := json.Unmarshal([]byte(printed), &listed); {
			case exit != 0:
			case err != nil, len(listed.Databases) == 0:
				one.Exit, one.Error = cli.ExitFailed, errors.Join(errors.New("what the copy holds can't be read"), err).Error()
			default:
				r.Fleet[i].Result = listed.Databases[0]
			}
		}
		m := known.Machines[i]
		r.Fleet[i].Copy, r.Fleet[i].Grew, r.Fleet[i].Health, r.Fleet[i].PullError = one, m.Grew, m.Health, m.Error
		copies[i] = one
	}
	c.Exit = cli.ExitOf(copies)
	return r, nil
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
			p.Line(ui.Line(d.Source) + ": " + ui.Line(why))
		}
	}
	p.Muted(plural.Count(len(rows), "machine", "machines"))
}
