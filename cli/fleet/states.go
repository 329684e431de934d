package fleet

import (
	"fmt"
	"time"

	"lcm-tui/cli"
	"lcm-tui/engine/integrity"
	"lcm-tui/fleet"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// machine is a source with its copies, as JSON and as a line.
type machine struct {
	Name      string        `json:"name"`
	Place     string        `json:"place"`
	Database  string        `json:"database,omitempty"` // Of the newest copy.
	Bytes     int64         `json:"bytes"`
	PulledAt  *time.Time    `json:"pulled_at"`   // When the newest copy came.
	CheckedAt *time.Time    `json:"checked_at"`  // When the machine was asked last with success.
	Age       *float64      `json:"age_seconds"` // Since then; below 0 where the clock of this machine was set back.
	Grew      *int64        `json:"grew_bytes"`  // Since the copy before.
	Health    *health       `json:"health"`      // Null where the copy wasn't checked.
	Plans     []fleet.Order `json:"plans,omitempty"`
	Error     string        `json:"error,omitempty"`
	Hint      string        `json:"hint,omitempty"`
}

// health is what the screens found when they checked a copy.
type health struct {
	integrity.Counts
	CheckedAt time.Time `json:"checked_at"`
}

// words says it in two words.
func (h *health) words() string {
	switch {
	case h == nil:
		return "unchecked"
	case h.Fatal+h.Error > 0:
		return "! " + plural.Count(h.Fatal+h.Error, "error", "errors")
	case h.Warn > 0:
		return "~ " + plural.Count(h.Warn, "warning", "warnings")
	}
	return "ok"
}

// states is the result of fleet list and fleet status.
type states struct {
	Machines []machine `json:"machines"`
	cli.WarningList

	now time.Time
}

func newStates(all []fleet.State, a *cli.App) *states {
	out := &states{Machines: []machine{}, now: a.Now()}
	store := a.Fleet()
	for _, t := range all {
		m := machine{Name: t.Name, Place: t.Place(), Error: t.Error, Hint: t.Hint, Plans: store.Orders(t.Name)}
		if t.Newest != nil {
			m.Database, _ = store.Path(t)
			m.Bytes, m.PulledAt = t.Newest.Bytes, &t.Newest.PulledAt
			if grew, ok := t.Grew(); ok {
				m.Grew = &grew
			}
		}
		if h, ok := store.Health(t); ok {
			m.Health = &health{h.Counts, h.CheckedAt}
		}
		if !t.CheckedAt.IsZero() {
			age := out.now.Sub(t.CheckedAt).Seconds()
			m.CheckedAt, m.Age = &t.CheckedAt, &age
		}
		out.Machines = append(out.Machines, m)
	}
	return out
}

// machineCells are the cells of a machine that several tables have.
type machineCells struct{ name, place, size, grew, age string }

func (m *machine) cells(now time.Time) machineCells {
	c := machineCells{name: ui.Line(m.Name), place: ui.Line(m.Place), size: "no copy yet"}
	if m.PulledAt != nil {
		c.size = ui.Size(m.Bytes)
	}
	if m.Grew != nil {
		c.grew = signedSize(*m.Grew)
	}
	if m.CheckedAt != nil {
		c.age = ui.Ago(*m.CheckedAt, now)
	}
	return c
}

// Print implements cli.Result.
func (r *states) Print(p *cli.Printer) {
	if len(r.Machines) == 0 {
		p.Line("no machine is known; lcm-tui fleet add NAME HOST adds one")
		return
	}
	var rows [][]string
	for _, m := range r.Machines {
		c := m.cells(r.now)
		rows = append(rows, []string{c.name, c.place, c.size, c.grew, c.age, m.Health.words()})
	}
	p.Table([]cli.Column{{Title: "machine"}, {Title: "place", Grows: true}, {Title: "size", Right: true}, {Title: "grew", Right: true, Spare: true}, {Title: "age", Right: true}, {Title: "health", Spare: true}}, rows)
	for _, m := range r.Machines {
		if m.Error != "" {
			p.Linef("%s: the last try failed: %s", ui.Line(m.Name), ui.Line(m.Error))
		}
		if m.Hint != "" {
			p.Line("  hint: " + ui.Line(m.Hint))
		}
		for _, o := range m.Plans {
			p.Linef("%s: plan %s %s, %s%s", ui.Line(m.Name), ui.Line(o.Plan), ui.Line(string(o.Outcome)), ui.Ago(o.At, r.now), ui.Line(answerOf(o)))
		}
		if m.Age != nil && *m.Age < -60 {
			p.Linef("%s: its copy is dated in the future: the clock of this machine was set back", ui.Line(m.Name))
		}
	}
	p.Line(plural.Count(len(r.Machines), "machine", "machines"))
}

// answerOf returns what a machine said of a plan, or nothing.
func answerOf(o fleet.Order) string {
	if o.Answer == "" {
		return ""
	}
	return fmt.Sprintf(": %s", o.Answer)
}

func signedSize(n int64) string {
	switch {
	case n < 0:
		return "-" + ui.Size(-n)
	case n == 0:
		return "="
	}
	return "+" + ui.Size(n)
}
