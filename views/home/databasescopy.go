package home

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// loadedDatabases are the databases that were found, and what is known of the machines whose copies some are.
type loadedDatabases struct {
	found    openclaw.Discovery
	machines []views.Machine
}

// findDatabases looks for databases and machines.
func findDatabases(ctx context.Context, source *views.DatabaseSource) (m loadedDatabases) {
	m.found = source.Find(ctx)
	if source.Machines != nil {
		m.machines, _ = source.Machines.All() // Without them a copy is shown as any file.
	}
	return m
}

// receiveMachines gives the rows of copies what is known of their machines.
func (d *Databases) receiveMachines(machines []views.Machine) {
	byPath := map[string]*views.Machine{}
	for i := range machines {
		byPath[machines[i].Path] = &machines[i]
	}
	d.machines = len(machines)
	for _, r := range d.rows {
		if r.Machine == "" {
			continue
		}
		if r.machine = byPath[r.Path]; r.machine != nil && r.machine.Health != nil && r.machine.Health.Error == "" {
			r.counts = &r.machine.Health.Counts
		}
	}
	d.list.SetItems(d.rows)
}

// checkCopy checks the copy of a machine, which is noted for the next time.
func checkCopy(ctx context.Context, machines *views.Machines, m *views.Machine) (integrity.Counts, error) {
	h, err := machines.Check(ctx, m.State, nil)
	return h.Counts, err
}

// copyGrowth returns how much larger a copy is than the one before; it is empty where that isn't known.
func (r *databaseRow) copyGrowth() string {
	if r.machine == nil {
		return ""
	}
	grew, ok := r.machine.Grew()
	switch {
	case !ok:
		return ""
	case grew < 0:
		return "-" + ui.Size(-grew)
	case grew == 0:
		return "="
	}
	return "+" + ui.Size(grew)
}

// copySentence says how old a copy is, how it grew, and why it isn't newer.
func (d *Databases) copySentence(r *databaseRow) string {
	m := r.machine
	if m == nil {
		return ""
	}
	text := m.AgeSentence(d.env.Now())
	if growth := m.GrowthSentence(); growth != "" {
		text += "; " + growth
	}
	if m.Error != "" {
		text += "; " + d.env.Styles.Bad.Render("! ") + "the last try to fetch it failed: " + ui.Line(m.Error)
	}
	return text
}

// fleetAction shows the machines.
func (d *Databases) fleetAction() views.Action {
	why := d.env.WhyNoMachines()
	return views.Action{Action: views.KeyFleet.In("File").InFooter().Off(why == "", why), Run: func() tea.Cmd {
		return ui.Say(ui.PushMsg{Screen: d.env.Screens.Fleet(d.env)})
	}}
}
