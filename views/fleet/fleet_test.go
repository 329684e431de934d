package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// driveMachines shows the screen of machines.
func driveMachines(t *testing.T) (d *viewtest.Driver, machines *views.Machines, chosen *string) {
	t.Helper()
	d = viewtest.DriveFile(t, testdb.Copy(t, testdb.Fixture(t, "v0.15.3/small.db")))
	machines, chosen = d.UseMachines()
	d.Send(ui.PushMsg{Screen: New(d.Env)})
	return d, machines, chosen
}

// TestMachinesSayHowTheyAre: health of every copy, age, growth, plans, and why one could not be asked. Texts of other machines
// are only text.
func TestMachinesSayHowTheyAre(t *testing.T) {
	t.Parallel()
	d, _, _ := driveMachines(t)
	d.Sees("4 machines", "1 machine could not be asked", "+8.2 kB", "4m ago", "larger than the copy before", "within 3 hours", "dissolve.json applied", "repair.json refused", "stale:")
	d.CursorOn("nas")
	d.Sees("! 3 errors", "me@nas.example:/srv/agent/lcm.db", "1 copy has errors")
	d.CursorOn("office")
	d.Sees("! failed", "can't be reached", "ssh office.example true")
	d.CursorOn("unasked")
	d.Sees("no copy", "never", "none yet: p fetches it")
	for range 4 {
		for _, size := range [][2]int{{80, 24}, {200, 50}, {40, 12}} {
			d.Clean(size[0], size[1])
		}
		d.Press("up")
	}
}

// TestHealthIsKeptUntilTheCopyChanges: the second look reads what the first noted.
func TestHealthIsKeptUntilTheCopyChanges(t *testing.T) {
	t.Parallel()
	d, machines, _ := driveMachines(t)
	all, err := machines.All()
	if err != nil || all[1].Health == nil || all[1].Health.Counts.Error == 0 {
		t.Fatalf("nothing is noted of %s: %+v, %v", all[1].Name, all[1].Health, err)
	}
	if err := os.Remove(all[1].Path); err != nil { // It isn't read again.
		t.Fatal(err)
	}
	d.Press("esc")
	d.Send(ui.PushMsg{Screen: New(d.Env)})
	d.Sees("! 3 errors")
	all[1].Newest.File = "copy-3.db"
	if _, ok := machines.Health(all[1].State); ok {
		t.Error("what was found in another copy counts")
	}
	d.CursorOn("nas")
	d.Press("h") // It is gone now.
	d.Sees("! unreadable", "it can't be checked")
	d.Press("ctrl+r")
	d.Sees("! unreadable")
}

// TestEnterOpensTheCopy: in the place of the database that is open, after a question where something is lost.
func TestEnterOpensTheCopy(t *testing.T) {
	t.Parallel()
	d, machines, chosen := driveMachines(t)
	d.CursorOn("nas")
	d.Press("enter")
	if !d.Quit || !d.App.Restart() || !machines.Has("nas", *chosen) {
		t.Errorf("quit %v, restart %v, chosen %q", d.Quit, d.App.Restart(), *chosen)
	}
	d, _, chosen = driveMachines(t)
	d.CursorOn("unasked")
	d.Press("enter")
	d.Sees("there is no copy of it yet")
	if d.Quit || *chosen != "" {
		t.Errorf("chosen %q", *chosen)
	}
}

// writeSSH writes a program that plays ssh: it sends a copy of a database as a machine does that has sqlite3 alone.
func writeSSH(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ssh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil { //nolint:gosec // A script of the test.
		t.Fatal(err)
	}
	return path
}

// TestFetchingSaysWhatWasReached: of the marked machines one comes and one fails; the copy is there at once.
func TestFetchingSaysWhatWasReached(t *testing.T) {
	t.Parallel()
	d, machines, _ := driveMachines(t)
	machines.Pulling.SSH = writeSSH(t, fmt.Sprintf(`case "$*" in
*office*) echo 'office is closed' >&2; exit 255;;
*mktemp*) exec cat '%s';;
esac
exit 127
`, testdb.Fixture(t, "v0.15.3/small.db")))
	for _, name := range []string{"office", "unasked"} {
		d.CursorOn(name)
		d.Press("space")
	}
	d.Sees("✓ 2 marked")
	d.Press("p")
	d.Sees("fetched", "new copies: unasked", "failed: office")
	d.CursorOn("unasked")
	d.Sees("came 2026-03-18", "  ok")
	d.CursorOn("office")
	d.Sees("office is closed")
	d.Press("U")
	d.Misses("✓ 2 marked")
}

// TestMachinesAreAddedAndRemoved: a name that can't be one is refused beside the prompt; a removal says what goes.
func TestMachinesAreAddedAndRemoved(t *testing.T) {
	t.Parallel()
	d, machines, _ := driveMachines(t)
	d.Press("a")
	d.Write("-x box")
	d.Press("enter")
	d.Sees("a name has letters")
	d.Misses("read again")
	d.Press("ctrl+u")
	d.Write("zoo zoo.example:/srv/lcm.db")
	d.Press("enter")
	d.Sees("5 machines", "added zoo")
	d.Press("a")
	d.Write("zoo elsewhere")
	d.Press("enter")
	d.Sees("there is a machine zoo already")
	d.Press("esc")
	d.CursorOn("laptop")
	d.Press("d")
	d.Sees("Remove laptop?", "2 copies here", "stays on that machine")
	d.Press("n")
	d.Sees("5 machines")
	d.Press("d", "y")
	d.Sees("4 machines", "removed laptop")
	if _, err := os.Stat(filepath.Join(machines.Folder, "laptop")); !os.IsNotExist(err) {
		t.Errorf("its folder: %v", err)
	}
}

// TestNoMachineTellsHowToBegin: where a key leads nowhere it says why.
func TestNoMachineTellsHowToBegin(t *testing.T) {
	t.Parallel()
	d, machines, _ := driveMachines(t)
	for _, name := range []string{"laptop", "nas", "office", "unasked"} {
		if err := machines.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	d.Press("ctrl+r")
	d.Sees("No machine is known yet", "adds a machine", "ssh has to work without a question")
	d.Press("p")
	if got := d.Screen(120, 36); !strings.Contains(got, "no machine is known") {
		t.Error(got)
	}
	d.Golden()
}
