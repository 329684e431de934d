package views

import (
	"time"

	"lcm-tui/data/openclaw"
	"lcm-tui/fleet"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// Machines are the copies of other machines' databases, as the screens show and fetch them.
type Machines struct {
	fleet.Store
	Pulling fleet.Options // How copies are fetched.
}

// Machine is a machine, and what is known of its copy; or a database of a machine in a replica, which that machine sends.
type Machine struct {
	fleet.State
	Path   string        // Of the newest copy, or the address of the source; empty where there is none.
	Health *fleet.Health // What a check of that copy found; nil where it wasn't checked.
	Orders []fleet.Order // Plans that were sent home, the newest first.
	// Replica names the replica that has this as a source, without a password; it is empty for a copy that is kept here.
	Replica string
	// HasDeleted says that the source has what the host of another one deleted. No file is like it.
	HasDeleted bool
}

// IsSource reports whether it is a source of a replica, and no copy.
func (m *Machine) IsSource() bool { return m.Replica != "" }

// Database returns its database for opening; ok is false where there is none.
func (m *Machine) Database() (db openclaw.Database, ok bool) {
	db = openclaw.Database{Path: m.Path, Program: "copy of " + m.Name, Found: m.Place(), Machine: m.Name}
	if m.IsSource() {
		db.Program, db.Found, db.Machine, db.Regular = "replica of "+m.Name, m.Replica, m.Host, true
	}
	return db, m.Path != ""
}

// All returns the machines by their names. It reads files, so only jobs call it.
func (m *Machines) All() ([]Machine, error) {
	states, err := m.Store.All()
	all := make([]Machine, len(states))
	for i, t := range states {
		all[i] = Machine{State: t, Orders: m.Orders(t.Name)}
		all[i].Path, _ = m.Store.Path(t)
		if h, ok := m.Store.Health(t); ok {
			all[i].Health = &h
		}
	}
	return all, err
}

// GrowthSentence says by how much the newest copy differs in size from the one before; it is empty where there aren't two.
func (m *Machine) GrowthSentence() string {
	grew, ok := m.Grew()
	if !ok {
		return ""
	}
	what := "the copy before"
	if m.IsSource() {
		what = "before"
	}
	within := "less than a minute"
	between := m.Newest.PulledAt.Sub(m.Previous.PulledAt)
	for _, unit := range []struct {
		of        time.Duration
		one, many string
	}{{24 * time.Hour, "day", "days"}, {time.Hour, "hour", "hours"}, {time.Minute, "minute", "minutes"}} {
		if between >= unit.of {
			within = plural.Count(int(between/unit.of), unit.one, unit.many)
			break
		}
	}
	switch {
	case grew == 0:
		return "as large as " + what
	case grew < 0:
		return ui.Size(-grew) + " smaller than " + what + ", within " + within
	}
	return ui.Size(grew) + " larger than " + what + ", within " + within
}

// AgeSentence says how old the newest copy is, and of what; it is empty where there is none.
func (m *Machine) AgeSentence(now time.Time) string {
	switch {
	case m.Newest == nil:
		return ""
	case m.HasDeleted:
		return "deleted from the file until " + When(m.CheckedAt, now)
	case m.IsSource() && m.CheckedAt.IsZero():
		return "never sent whole"
	case m.IsSource():
		return "equal to the file " + When(m.CheckedAt, now)
	}
	if m.CheckedAt.After(now.Add(time.Minute)) {
		return "its time lies in the future: the clock of this machine was set back since"
	}
	return "what the machine had " + When(m.CheckedAt, now)
}

// When says how long ago something was: "just now", "4m ago", or that nobody knows.
func When(t, now time.Time) string {
	switch text := Ago(t, now); text {
	case "":
		return "at an unknown time"
	case "now":
		return "just now"
	default:
		return text
	}
}

// WhyNoMachines returns why the screen of machines can't be shown, or empty.
func (e *Env) WhyNoMachines() string {
	return TextWhen(e.Databases == nil || e.Databases.Machines == nil, "this program was started for one database only")
}
