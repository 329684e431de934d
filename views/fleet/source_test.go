package fleet

import (
	"context"
	"errors"
	"testing"
	"time"

	"lcm-tui/engine/integrity"
	"lcm-tui/fleet"
	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// driveSources shows the screen of machines beside a replica with two databases.
func driveSources(t *testing.T, failed error) (d *viewtest.Driver, chosen *string) {
	t.Helper()
	d = viewtest.DriveFile(t, testdb.Copy(t, testdb.Fixture(t, "v0.15.3/small.db")))
	_, chosen = d.UseMachines()
	now := d.Env.Now()
	const replica = "postgres://me@db.example/lcm"
	synced := views.Machine{Replica: replica, Path: replica + "?source=laptop"} // A copy is called so, too.
	synced.Name, synced.Host, synced.State.Path = "laptop", "laptop.example", "/home/me/lcm.db"
	synced.CheckedAt, synced.Newest = now.Add(-3*time.Hour), &fleet.Generation{Bytes: 5_000_000, PulledAt: now.Add(-3 * time.Hour)}
	synced.Previous = &fleet.Generation{Bytes: 4_000_000, PulledAt: now.Add(-27 * time.Hour)}
	synced.Health = &fleet.Health{CheckedAt: now.Add(-3 * time.Hour), Counts: integrity.Counts{Error: 7}, Faults: []fleet.FaultCount{{Fault: "M01", Severity: integrity.Error, Count: 7}}}
	synced.Orders = []fleet.Order{
		{At: now.Add(-time.Hour), Plan: "dissolve sum_1", Outcome: "waiting"}, {At: now.Add(-2 * time.Hour), Plan: "compact 1", Outcome: fleet.Refused, Answer: "stale: \x1b[2J"},
	}
	begun := views.Machine{Replica: replica, Path: replica + "?source=pi"}
	begun.Name, begun.Host, begun.Newest = "pi", "pi.example", &fleet.Generation{}
	kept := views.Machine{Replica: replica, Path: replica + "?source=pi/deleted", HasDeleted: true}
	kept.Name, kept.Host, kept.CheckedAt, kept.Newest = "pi/deleted", "pi.example", now.Add(-2*time.Minute), &fleet.Generation{}
	d.Env.Databases.Sources = func(context.Context) ([]views.Machine, error) { return []views.Machine{synced, begun, kept}, failed }
	d.Send(ui.PushMsg{Screen: New(d.Env)})
	return d, chosen
}

// TestTheDatabasesOfAReplicaAreListed: behind the copies, with their lag, what their machines found, and the plans that wait there.
func TestTheDatabasesOfAReplicaAreListed(t *testing.T) {
	t.Parallel()
	d, chosen := driveSources(t, nil)
	d.Sees("4 machines", "3 databases of a replica", "1 database has errors")
	d.Press("end")
	d.Sees("  deleted", "deleted from the file until 2m ago", "nothing checks them")
	d.Press("up", "up")
	d.Sees("in postgres://me@db.example/lcm", "equal to the file 3h ago", "larger than before", "! 7 errors", "dissolve sum_1 waiting", "compact 1 refused", "stale:")
	for key, why := range map[string]string{"p": "its machine sends it", "h": "its machine checks it", "d": "fleet forget laptop"} {
		d.Press(key)
		d.Sees(why)
	}
	d.Press("down")
	d.Sees("never sent whole")
	d.Press("enter")
	if !d.Quit || !d.App.Restart() || *chosen != "postgres://me@db.example/lcm?source=pi" {
		t.Errorf("quit %v, restart %v, chosen %q", d.Quit, d.App.Restart(), *chosen)
	}
	for _, size := range [][2]int{{80, 24}, {200, 50}, {40, 12}} {
		d.Clean(size[0], size[1])
	}
}

// TestAReplicaThatDoesNotAnswer: the copies are listed all the same, and what could be read.
func TestAReplicaThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	d, _ := driveSources(t, errors.New("postgres://me@old.example/lcm: no answer"))
	d.Sees("4 machines", "3 databases of a replica", "~ a replica can't be read: postgres://me@old.example/lcm: no answer")
	d.CursorOn("nas")
	d.Sees("me@nas.example:/srv/agent/lcm.db")
}
