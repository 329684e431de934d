package viewtest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"lcm-tui/data/openclaw"
	"lcm-tui/fleet"
	"lcm-tui/internal/fakehost"
	"lcm-tui/views"
)

// UseMachines gives the screens four machines: one with a sound copy and plans that were sent home, one with a damaged copy, one
// that can't be reached and says hostile texts, and one that was never asked. It returns the path that was chosen to be opened.
func (d *Driver) UseMachines() (machines *views.Machines, chosen *string) {
	d.T.Helper()
	machines, chosen = &views.Machines{Store: fleet.Below(d.T.TempDir(), func() time.Time { return DemoNow })}, new(string)
	machines.Pulling.SSH = "/nowhere/ssh"
	d.addMachine(machines, "laptop", "laptop.example", 2, "")
	d.addMachine(machines, "nas", "me@nas.example:/srv/agent/lcm.db", 1, "", "cycle")
	d.addMachine(machines, "office", "office.example", 1, "office.example can't be reached: \x1b[31mConnection\r\nrefused\u202e")
	d.addMachine(machines, "unasked", "unasked.example", 0, "")
	for i, o := range []fleet.Order{
		{Plan: "dissolve.json", Outcome: fleet.Applied, Answer: "applied as #4"}, {Plan: "repair.json", Outcome: fleet.Refused, Exit: 4, Answer: "stale: \x1b[2Jit has changed since"},
	} {
		o.At = DemoNow.Add(time.Duration(i-3) * time.Hour)
		if err := machines.NoteOrder("laptop", o); err != nil {
			d.T.Fatal(err)
		}
	}
	d.Env.Databases = &views.DatabaseSource{
		Find:     func(context.Context) openclaw.Discovery { return openclaw.Discovery{Databases: machines.Databases()} },
		Choose:   func(db openclaw.Database) { *chosen = db.Path },
		Machines: machines,
	}
	return machines, chosen
}

// addMachine adds a machine with so many copies of a sample.
func (d *Driver) addMachine(m *views.Machines, name, place string, copies int, problem string, faults ...string) {
	d.T.Helper()
	if err := m.AddPlace(name, place); err != nil {
		d.T.Fatal(err)
	}
	c := fleet.Copy{Error: problem}
	folder := filepath.Join(m.Folder, name)
	at := DemoNow.Add(-4 * time.Minute)
	if copies > 0 {
		path := filepath.Join(folder, "copy-2.db")
		if err := SampleCache.Sample(path, fakehost.Head, faults...); err != nil {
			d.T.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			d.T.Fatal(err)
		}
		c.Newest = &fleet.Generation{File: "copy-2.db", Stamp: "0123456789abcdef", PulledAt: at, Bytes: info.Size(), Packed: info.Size() / 9}
		c.CheckedAt, c.TriedAt = at, at
		if problem != "" {
			c.CheckedAt, c.TriedAt, c.Hint = at.Add(-50*time.Hour), at, "ssh office.example true has to work without a question"
		}
	}
	if copies > 1 {
		c.Previous = &fleet.Generation{File: "copy-1.db", Stamp: "fedcba9876543210", PulledAt: at.Add(-3 * time.Hour), Bytes: c.Newest.Bytes - 8192}
	}
	content, err := json.Marshal(c)
	if err == nil && copies > 0 {
		err = os.WriteFile(filepath.Join(folder, "copy.json"), content, 0o600)
	}
	if err == nil && copies > 0 {
		err = os.Chtimes(filepath.Join(folder, "lcm-tui-copy-of"), c.CheckedAt, c.CheckedAt)
	}
	if err != nil {
		d.T.Fatal(err)
	}
}
