//go:build unix

package fleet_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/fleet"
	"lcm-tui/internal/testdb"
)

// restsOf makes a machine with sqlite3 alone, and returns its folder for temporary files.
func restsOf(t *testing.T) (m *machines, folder string) {
	t.Helper()
	m = newMachines(t)
	m.addBare("box")
	m.write("box/bin/lcm-tui", "#!/bin/sh\nexit 127\n")
	folder = filepath.Join(m.folder, "box", "tmp")
	testdb.Must(t, os.Mkdir(folder, 0o700))
	m.write("box/.openclaw/lcm.db", "x")
	return m, folder
}

// checkRests fails unless a folder has these files alone.
func checkRests(t *testing.T, folder string, want ...string) {
	t.Helper()
	found, err := os.ReadDir(folder)
	if err != nil || len(found) != len(want) {
		t.Fatalf("there are %v, not %q, %v", found, want, err)
	}
	for i, e := range found {
		if e.Name() != want[i] {
			t.Errorf("there is %s, not %s", e.Name(), want[i])
		}
	}
}

// TestABrokenOffPullLeavesNoCopyOnTheOtherMachine: the copy that sqlite3 made there goes when the shell gets a signal, and while
// it is sent it has no name, so that nothing is left where the shell is killed.
func TestABrokenOffPullLeavesNoCopyOnTheOtherMachine(t *testing.T) {
	t.Parallel()
	backup := "#!/bin/sh\nfor f; do :; done\nf=${f#*\\'}; head -c 9000 /dev/zero >\"${f%\\'}\"\n"
	for name, c := range map[string]struct{ sqlite, cat string }{
		"it hangs up while sqlite3 copies":        {sqlite: backup + "kill -HUP $PPID\n"},
		"it is ended while sqlite3 copies":        {sqlite: backup + "kill -TERM $PPID\n"},
		"sqlite3 is killed with its journal":      {sqlite: backup + "touch \"${f%\\'}-journal\"; kill -9 $$\n"},
		"it is killed while the copy is sent":     {sqlite: backup, cat: "#!/bin/sh\nhead -c 500; kill -9 $PPID\n"},
		"nobody reads the copy while it is sent":  {sqlite: backup, cat: "#!/bin/sh\nkill -PIPE $$\n"},
		"the program that sends it isn't to find": {sqlite: backup, cat: "#!/bin/sh\nexit 127\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, folder := restsOf(t)
			m.write("box/bin/sqlite3", c.sqlite)
			if c.cat != "" {
				m.write("box/bin/cat", c.cat)
			}
			if p := m.pull("box"); p.Err == nil {
				t.Error("it says nothing")
			}
			checkRests(t, folder)
		})
	}
}

// TestTheNextPullRemovesWhatAKilledOneLeftOnTheOtherMachine: after a day, since a younger file may be in use; files of others stay.
func TestTheNextPullRemovesWhatAKilledOneLeftOnTheOtherMachine(t *testing.T) {
	t.Parallel()
	m, folder := restsOf(t)
	m.write("box/bin/sqlite3", "#!/bin/sh\nkill -9 $PPID\n")
	if p := m.pull("box"); p.Err == nil {
		t.Error("it says nothing")
	}
	found, err := os.ReadDir(folder)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	left := filepath.Join(folder, found[0].Name())
	m.write("box/tmp/other", "of another program")
	m.write("box/bin/sqlite3", "#!/bin/sh\nexit 1\n")
	m.pull("box")
	checkRests(t, folder, filepath.Base(left), "other")
	old := time.Now().Add(-48 * time.Hour)
	for _, path := range []string{left, filepath.Join(folder, "other")} {
		testdb.Must(t, os.Chtimes(path, old, old))
	}
	m.pull("box")
	checkRests(t, folder, "other")
}

// TestAPlanThatWasSentIsLeftNowhere: also where the shell there gets a signal while lcm-tui applies it.
func TestAPlanThatWasSentIsLeftNowhere(t *testing.T) {
	t.Parallel()
	m, folder := restsOf(t)
	plan := m.write("plan.json", "{}")
	src, err := fleet.Parse("box", "box")
	testdb.Must(t, err)
	for _, end := range []string{"exit 0", "exit 1", "kill -HUP $PPID", "kill -TERM $PPID"} {
		m.write("box/bin/lcm-tui", "#!/bin/sh\n[ -s \"$2\" ] && "+end+"\n")
		_, _, _ = fleet.Apply(t.Context(), src, plan, false, false, m.o) // What it says is tested elsewhere.
		checkRests(t, folder)
	}
}
