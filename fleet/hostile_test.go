package fleet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/pagestream"
	"lcm-tui/fleet"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestAMachineThatNeverEndsIsNotWaitedFor: what it says without an end, and what it keeps open, costs no more than a few seconds.
func TestAMachineThatNeverEndsIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"it prints without an end":            "trap '' PIPE; " + untilGone("echo 'Welcome!'"),
		"it prints, and stays silent":         "echo 'Welcome to the machine!'; exec sleep 60",
		"its errors have no end":              "trap '' PIPE; echo 'Welcome to the machine!'; " + untilGone("echo oops >&2"),
		"it is a stream of something else":    "exec cat /dev/zero",
		"another process keeps the line open": "sleep 60 & echo 'Welcome to the machine!'; exit 1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachines(t)
			m.add("box")
			m.write("box/bin/lcm-tui", "#!/bin/sh\n"+script+"\n")
			m.o.Timeout = time.Minute
			start := time.Now()
			p := m.pull("box")
			if took := time.Since(start); p.Err == nil || took > 20*time.Second {
				t.Errorf("%v after %s", p.Err, took)
			}
			if len(p.Error) > 8<<10 || strings.Contains(p.Error, "not done within") {
				t.Errorf("it says %.200q", p.Error)
			}
		})
	}
}

// untilGone repeats a command without an end while somebody reads, and for some seconds after that, so that nothing outlives the
// tests for long.
func untilGone(command string) string {
	return "gone=0; while [ $gone -lt 50 ]; do " + command + " || { gone=$((gone+1)); sleep 0.1; }; done"
}

// TestABombOfADatabase: of a machine that has sqlite3 alone no more is taken than its first page says, and that is compared with
// the disk.
func TestABombOfADatabase(t *testing.T) {
	t.Parallel()
	head := `SQLite format 3\000\020\000\001\001\000\100\040\040\000\000\000\001`
	for name, c := range map[string]struct{ pages, error string }{
		"it says that it is huge":    {`\377\377\377\377`, "no room"},
		"it goes on behind its end":  {`\000\000\000\002`, "isn't whole"},
		"it says that it is nothing": {`\000\000\000\000`, "isn't whole"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachines(t)
			m.add("box")
			m.write("box/bin/lcm-tui", "#!/bin/sh\nexit 127\n")
			m.write("box/bin/cat", "#!/bin/sh\nprintf '"+head+c.pages+"'; exec /bin/cat /dev/zero\n")
			m.write("box/bin/sqlite3", "#!/bin/sh\nexit 0\n")
			m.write("box/.openclaw/lcm.db", "x")
			p := m.pull("box")
			if p.Err == nil || !strings.Contains(p.Error, c.error) {
				t.Errorf("%v", p.Err)
			}
			if found, _ := filepath.Glob(filepath.Join(m.store.Folder, "box", "*copy-*.db*")); len(found) > 0 {
				t.Errorf("it left %v", found)
			}
		})
	}
}

// TestASourceThatBecomesAnother: smaller, of a newer program, of other pages, away and back: the copy is always what is there.
func TestASourceThatBecomesAnother(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	database := m.add("box")
	same := func(when string) {
		t.Helper()
		if p := m.pull("box"); p.Err != nil {
			t.Fatalf("%s: %v", when, p.Err)
		}
		want, err := testdb.DumpTables(database)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := testdb.DumpTables(m.copyOf("box")); err != nil || got != want {
			t.Errorf("%s: the copy differs: %v", when, err)
		}
	}
	replace := func(fixture string) {
		t.Helper()
		content, err := os.ReadFile(testdb.Fixture(t, fixture))
		if err != nil {
			t.Fatal(err)
		}
		data.RemoveDatabase(database)
		m.write("box/lcm.db", string(content))
	}
	same("at first")
	testdb.Execute(t, database, "PRAGMA journal_mode = delete", "DELETE FROM message_parts", "VACUUM")
	same("it shrank")
	testdb.Execute(t, database, "PRAGMA page_size = 8192", "VACUUM")
	same("its pages are larger")
	replace("v1.0/small.db")
	same("a newer program made it")
	replace("v0.1.0/small.db")
	same("an older one is in its place")
	m.rename("box/lcm.db", "box/away.db")
	if p := m.pull("box"); p.Err == nil {
		t.Error("it is gone, and a copy came")
	}
	m.rename("box/away.db", "box/lcm.db")
	same("it is back")
}

// TestACopyFromTheFuture: the clock of this machine was set back. Copies come as before, and the newest is the newest that came.
func TestACopyFromTheFuture(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	say(t, m.add("box"), "before")
	if p := m.pull("box"); p.Err != nil {
		t.Fatal(p.Err)
	}
	say(t, filepath.Join(m.folder, "box", "lcm.db"), "after")
	m.store.Now = func() time.Time { return time.Now().AddDate(0, 0, -2) }
	if p := m.pull("box"); p.Err != nil || p.Unchanged {
		t.Fatalf("%+v", p)
	}
	state, err := m.store.Get("box")
	if err != nil || printed(t, m.copyOf("box")) != "after" || state.CheckedAt.After(time.Now().AddDate(0, 0, -1)) {
		t.Errorf("%+v, %v", state, err)
	}
}

// TestARemovalWaitsForAPull: a machine isn't removed while its copy is fetched.
func TestARemovalWaitsForAPull(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.add("box")
	began := filepath.Join(m.folder, "began")
	m.write("box/bin/lcm-tui", fmt.Sprintf("#!/bin/sh\ntouch '%s'; exec sleep 60\n", began))
	m.o.Timeout = 2 * time.Second
	ended := make(chan fleet.Pulled)
	go func() { ended <- m.pull("box") }()
	for range 1000 {
		if _, err := os.Stat(began); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := m.store.Remove("box"); !errors.Is(err, fleet.ErrBusy) {
		t.Errorf("%v", err)
	}
	<-ended
	if err := m.store.Remove("box"); err != nil {
		t.Error(err)
	}
}

// TestWhatIsRemovedStaysAway, whatever other processes that fetch it do in the same moment.
func TestWhatIsRemovedStaysAway(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := newMachines(t)
	path := m.write("none.db", "this is no database")
	for range 10 {
		m.register("local", path)
		ctx, stop := context.WithCancel(t.Context())
		var pulls sync.WaitGroup
		for range 3 {
			pulls.Go(func() {
				for ctx.Err() == nil {
					if s, err := m.store.Get("local"); err == nil {
						m.store.Pull(ctx, s, m.o)
					}
				}
			})
		}
		err := fleet.ErrBusy
		for errors.Is(err, fleet.ErrBusy) {
			err = m.store.Remove("local")
		}
		stop()
		pulls.Wait()
		if _, there := m.store.Get("local"); err != nil || !errors.Is(there, fleet.ErrUnknown) {
			t.Fatalf("removed with %v; it is %v", err, there)
		}
	}
}

// TestPlansThatWereSentHome: the newest first, and what came of each as far as that is known.
func TestPlansThatWereSentHome(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.add("box")
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		exit    int
		printed string
		err     error
		want    fleet.Outcome
	}{
		{0, "dissolve sum_1\napplied as #7\n", nil, fleet.Applied},
		{3, "lcm-tui: record 1 applied the plan already: nothing to do\n", nil, fleet.Applied},
		{4, "lcm-tui: stale\n  hint: plan again\n", nil, fleet.Refused},
		{1, "\x1b[2J" + strings.Repeat("no ", 500), nil, fleet.Failed},
		{0, "", errors.New("box can't be reached"), fleet.NotSent},
		{0, "", fmt.Errorf("box: %w", fleet.ErrUnheard), fleet.Unknown},
	} {
		o := fleet.NewOrder(at, "/home/ann/"+string(c.want)+".json", c.exit, c.printed, c.err)
		if o.Outcome != c.want || len(o.Answer) > 300 || o.Plan != string(c.want)+".json" {
			t.Errorf("%+v", o)
		}
		if err := m.store.NoteOrder("box", o); err != nil {
			t.Fatal(err)
		}
	}
	orders := m.store.Orders("box")
	if len(orders) != 6 || orders[0].Outcome != fleet.Unknown || orders[3].Answer != "stale" || orders[5].Answer != "applied as #7" {
		t.Errorf("%+v", orders)
	}
	for range 30 {
		if err := m.store.NoteOrder("box", orders[0]); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(m.store.Orders("box")); n != 20 {
		t.Errorf("%d are kept", n)
	}
}

// TestADamagedCopyComesAgain: a copy of which a page isn't what came is no base for the next one, which comes whole and is sound.
func TestADamagedCopyComesAgain(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	database := m.add("box")
	if p := m.pull("box"); p.Err != nil {
		t.Fatal(p.Err)
	}
	spoiled, err := os.OpenFile(m.copyOf("box"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spoiled.WriteAt([]byte("spoiled"), 3*4096+100); err != nil {
		t.Fatal(err)
	}
	if err := spoiled.Close(); err != nil {
		t.Fatal(err)
	}
	say(t, database, "after that")
	if p := m.pull("box"); p.Err != nil || p.Unchanged {
		t.Fatalf("%+v", p)
	}
	if got := printed(t, m.copyOf("box")); got != "after that" {
		t.Errorf("the copy has %q", got)
	}
}

// TestWhetherAPlanWasSent: where the line breaks once the other machine has it, nobody knows what came of it; where that can't be reached,
// nothing was sent. What a shell prints at its start doesn't matter.
func TestWhetherAPlanWasSent(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.write("box/motd", "Welcome to box\n")
	plan := m.write("plan.json", strings.Repeat("{}", 100_000))
	for _, c := range []struct {
		host, ending string
		unheard      bool
		exit         int
		printed      string
	}{
		{"box", "exit 0", false, 0, "Welcome to box\napplied as record 1\n"},
		{"box", "echo stale >&2; exit 4", false, 4, "Welcome to box\napplied as record 1\nstale\n"},
		{"box", "echo 'client_loop: send disconnect: Broken pipe' >&2; exit 255", true, 0, ""},
		{"gone", "", false, 0, ""},
	} {
		got := m.write("box/got", "")
		m.write("box/bin/lcm-tui", "#!/bin/sh\ncp \"$2\" '"+got+"'\necho applied as record 1\n"+c.ending+"\n")
		printed, exit, err := fleet.Apply(t.Context(), fleet.Source{Name: "box", Host: c.host}, plan, false, false, m.o)
		if exit != c.exit || printed != c.printed || errors.Is(err, fleet.ErrUnheard) != c.unheard || (err != nil) != (c.printed == "") {
			t.Errorf("%s, %s: exit %d, %q, %v", c.host, c.ending, exit, printed, err)
		}
		if content, _ := os.ReadFile(got); (len(content) == 200_000) != (c.host == "box") {
			t.Errorf("%s, %s: %d bytes came", c.host, c.ending, len(content))
		}
	}
}

// TestHealthIsThatOfTheCopy: it is noted until another copy comes, and a damaged copy is a result.
func TestHealthIsThatOfTheCopy(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	database := m.add("box")
	check := func() (fleet.State, fleet.Health) {
		t.Helper()
		state, err := m.store.Get("box")
		if err != nil {
			t.Fatal(err)
		}
		h, err := m.store.Check(t.Context(), state, nil)
		if err != nil {
			t.Fatal(err)
		}
		return state, h
	}
	if p := m.pull("box"); p.Err != nil {
		t.Fatal(p.Err)
	}
	state, found := check()
	if noted, ok := m.store.Health(state); !ok || noted.Counts != found.Counts || len(noted.Faults) == 0 {
		t.Errorf("%+v, %v, found %+v", noted, ok, found)
	}
	say(t, database, "changed")
	if p := m.pull("box"); p.Err != nil {
		t.Fatal(p.Err)
	}
	if state, err := m.store.Get("box"); err != nil || hasHealth(m, state) {
		t.Errorf("what was found in the copy before counts: %v", err)
	}
	if err := os.WriteFile(m.copyOf("box"), []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if state, found = check(); found.Error == "" || hasHealth(m, state) {
		t.Errorf("a file that is no database: %+v", found)
	}
}

func hasHealth(m *machines, state fleet.State) bool {
	_, ok := m.store.Health(state)
	return ok
}

// TestAStateFolderThatCantBeWritten: what is there can be read; what would write says what to do.
func TestAStateFolderThatCantBeWritten(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	disk := testdb.Disk(t, 80<<20)
	m.store = fleet.Below(disk, nil)
	m.add("box")
	if p := m.pull("box"); p.Err != nil {
		t.Fatal(p.Err)
	}
	if out, err := exec.CommandContext(t.Context(), "mount", "-o", "remount,ro", disk).CombinedOutput(); err != nil {
		t.Skipf("mount: %s", out)
	}
	if p := m.pull("box"); p.Err == nil || !strings.Contains(hint.Of(p.Err), "can be read all the same") {
		t.Errorf("pull: %v, hint %q", p.Err, hint.Of(p.Err))
	}
	if err := m.store.AddPlace("zoo", "zoo.example"); err == nil || !strings.Contains(hint.Of(err), "has to be able to write") {
		t.Errorf("add: %v, hint %q", err, hint.Of(err))
	}
	if err := m.store.Remove("box"); err == nil {
		t.Error("it was removed")
	}
	state, err := m.store.Get("box")
	if err != nil {
		t.Fatal(err)
	}
	if h, err := m.store.Check(t.Context(), state, nil); err != nil || h.Error != "" {
		t.Errorf("check: %+v, %v", h, err)
	}
}

// TestADiskWithoutRoomForACopy: the error says how much is free, and how much of it is never used.
func TestADiskWithoutRoomForACopy(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.store = fleet.Below(testdb.Disk(t, 10<<20), nil)
	m.add("box")
	const want = "box: there is no room for the database on this disk: 9 MB are free, and 64 MB are kept free"
	if p := m.pull("box"); !errors.Is(p.Err, pagestream.ErrTooLarge) || p.Error != want || !strings.HasPrefix(hint.Of(p.Err), "make room") {
		t.Errorf("it says %q, hint %q", p.Error, hint.Of(p.Err))
	}
}

// TestTheReportOfSeveralPulls counts to the whole, and each machine has its own end.
func TestTheReportOfSeveralPulls(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.add("box")
	m.add("nas")
	m.register("gone", "gone.example")
	all, err := m.store.All()
	if err != nil {
		t.Fatal(err)
	}
	last, most := 0, 0
	m.o.Report = func(done, total int, _ string) { last, most = done, total }
	var ended []string
	for _, p := range m.store.PullEach(t.Context(), all, 2, m.o) {
		ended = append(ended, fmt.Sprint(p.Name, " ", p.Err == nil))
	}
	if got := strings.Join(ended, ", "); got != "box true, gone false, nas true" || last != most || most == 0 {
		b, _ := json.Marshal(ended)
		t.Errorf("%s, %d of %d", b, last, most)
	}
}
