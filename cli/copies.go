package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/reading"
	"lcm-tui/data/textsearch"
	"lcm-tui/engine/integrity"
	"lcm-tui/fleet"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Copy is a copy of another machine's database, for which a command answers, and how that went.
type Copy struct {
	Source   string   `json:"source"`
	Place    string   `json:"place"`
	Database string   `json:"database,omitempty"`    // Empty where there is no copy yet.
	Age      *float64 `json:"age_seconds,omitempty"` // Since the machine was asked last with success; below 0 where a clock was set back.
	Exit     int      `json:"exit"`
	Error    string   `json:"error,omitempty"`

	AskedAt   time.Time            `json:"-"` // When the machine was asked last with success.
	Runs      []textsearch.TimeRun `json:"-"` // In which times of messages rise with ids; nil where that isn't known.
	IsReplica bool                 `json:"-"` // It is a source of a replica, and no file.
}

// CopiesOf returns the newest copies of machines. One of which there is none has the reason as its error.
func (a *App) CopiesOf(machines []fleet.State) []Copy {
	out, now, store := make([]Copy, len(machines)), a.Now(), a.Fleet()
	for i, t := range machines {
		c := Copy{Source: t.Name, Place: t.Place(), AskedAt: t.CheckedAt}
		path, err := store.Path(t)
		if err != nil {
			c.Error, c.Exit = err.Error(), ExitFailed
			if next := hint.Of(err); next != "" {
				c.Error += "\nhint: " + next
			}
		} else {
			age := now.Sub(t.CheckedAt).Seconds()
			c.Database, c.Age, c.Runs = path, &age, store.MessageRuns(t)
		}
		out[i] = c
	}
	return out
}

// PrintProblem prints what is wrong with a machine or its copy: a line behind its name, and others below.
func PrintProblem(p *Printer, source, problem string) {
	before := ui.Line(source) + ": "
	for line := range strings.Lines(problem) {
		p.Line(before + ui.Line(strings.TrimSpace(line)))
		before = "  "
	}
}

// Now returns the present.
func (a *App) Now() time.Time {
	if a.Sys.Now != nil {
		return a.Sys.Now()
	}
	return time.Now()
}

// ExitOf returns the exit code for all copies: that of findings before that of failures, else the least.
func ExitOf(copies []Copy) int {
	worst := map[int]bool{}
	least := ExitFailed
	for i, c := range copies {
		worst[c.Exit] = true
		if i == 0 || c.Exit < least {
			least = c.Exit
		}
	}
	for _, code := range []int{ExitFindings, ExitFailed} {
		if worst[code] {
			return code
		}
	}
	return least
}

// ReplicaMachines returns the databases of the replicas that are known here, as the screen of machines shows them. The error says
// which replicas couldn't be read.
func ReplicaMachines(ctx context.Context, a *App) (out []views.Machine, err error) {
	places := replicaPlaces(a, true)
	for _, address := range slices.Sorted(maps.Keys(places)) {
		found, failed := machinesOf(ctx, address, places[address])
		out, err = append(out, found...), errors.Join(err, failed)
	}
	return out, err
}

// machinesOf returns the databases of one replica.
func machinesOf(ctx context.Context, address, where string) (out []views.Machine, err error) {
	if where != postgres.AddressVariable {
		if err := postgres.CheckArgument(address); err != nil {
			return nil, err
		}
	}
	parsed, err := postgres.Parse(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	all, err := reading.Overviews(ctx, address)
	if errors.Is(err, postgres.ErrNoSchema) { // A home, or nothing yet.
		return nil, nil
	}
	for _, o := range all {
		out = append(out, machineOf(o, parsed.String()))
	}
	return out, err
}

// machineOf returns a source of a replica as a machine.
func machineOf(o reading.Overview, replica string) views.Machine {
	m := views.Machine{Path: o.Place, Replica: replica, HasDeleted: o.IsDeleted}
	m.Name, m.Host, m.State.Path = o.Name, o.Host, o.Source.Path
	m.CheckedAt, m.Newest = o.SyncedAt, &fleet.Generation{Bytes: o.Bytes, PulledAt: o.SyncedAt}
	if len(o.Sizes) > 1 {
		m.Previous = &fleet.Generation{Bytes: o.Sizes[1].Bytes, PulledAt: o.Sizes[1].At}
	}
	if !o.CheckedAt.IsZero() {
		m.Health = &fleet.Health{CheckedAt: o.CheckedAt}
		for _, f := range o.Faults {
			severity := integrity.Severity(f.Severity)
			for range f.Count {
				m.Health.Counts.Add(severity)
			}
			m.Health.Faults = append(m.Health.Faults, fleet.FaultCount{Fault: integrity.FaultID(f.Fault), Severity: severity, Count: f.Count})
		}
		fleet.SortFaults(m.Health.Faults)
	}
	for _, order := range o.Orders {
		m.Orders = append(m.Orders, fleet.Order{At: order.At, Plan: order.Title, Outcome: fleet.Outcome(order.State), Answer: order.Answer})
	}
	return m
}
