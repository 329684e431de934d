package cli

import (
	"context"
	"errors"
	"maps"
	"slices"

	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/reading"
	"lcm-tui/engine/integrity"
	"lcm-tui/fleet"
	"lcm-tui/views"
)

// ReplicaMachines returns the databases of the replicas that are known here, as the screen of machines shows them. The error says
// which replicas couldn't be read.
func (a *App) ReplicaMachines(ctx context.Context) (out []views.Machine, err error) {
	places := a.replicaPlaces(true)
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
