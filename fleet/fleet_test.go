package fleet_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/pagestream"
	"lcm-tui/data/textsearch"
	"lcm-tui/fleet"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
)

// TestMain lets the program of the tests stand in for lcm-tui on another machine: what its backup --to - writes.
func TestMain(m *testing.M) {
	folder, state := os.Getenv("FLEET_TEST_MACHINE"), os.Getenv("FLEET_TEST_PULL")
	var err error
	switch {
	case folder != "":
		err = sendAs(folder, os.Args[1:])
	case state != "":
		err = pullAs(state, os.Getenv("FLEET_TEST_SSH"))
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lcm-tui:", err)
		os.Exit(1)
	}
}

func sendAs(folder string, args []string) error {
	path, since := filepath.Join(folder, "lcm.db"), ""
	for i, a := range args {
		switch a {
		case "--since":
			since = args[i+1]
		case "--db":
			path = args[i+1]
		}
	}
	db, err := data.Open(context.Background(), path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = pagestream.Send(context.Background(), db, pagestream.Sending{Since: since, Folder: filepath.Join(folder, "sent")}, brokenPipe(folder, os.Stdout))
	return err
}

// machines are other machines, which a program in the place of ssh reaches: each is a folder.
type machines struct {
	t      *testing.T
	folder string
	store  fleet.Store
	o      fleet.Options
}

// sshScript takes the options of ssh away and runs the command in the shell of a machine. What a machine has in its bin is found
// before what the system has.
const sshScript = `#!/bin/sh
while [ "$1" != -- ]; do shift; done
host=$2; shift 2
[ -d "%[1]s/$host" ] || { echo "ssh: connect to host $host port 22: Connection refused" >&2; exit 255; }
[ -f "%[1]s/$host/motd" ] && cat "%[1]s/$host/motd"
system=/usr/bin:/bin
[ -f "%[1]s/$host/bare" ] && system=
[ -d "%[1]s/$host/tmp" ] && export TMPDIR="%[1]s/$host/tmp"
HOME="%[1]s/$host" PATH="%[1]s/$host/bin:$system" exec /bin/sh -c "$*"
`

func newMachines(t *testing.T) *machines {
	t.Helper()
	m := &machines{t: t, folder: t.TempDir(), store: fleet.Below(t.TempDir(), nil)}
	m.o.SSH = filepath.Join(m.folder, "ssh")
	m.write("ssh", fmt.Sprintf(sshScript, m.folder))
	return m
}

func (m *machines) write(name, content string) string {
	m.t.Helper()
	path := filepath.Join(m.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o700); err != nil { //nolint:gosec // Scripts of the test.
		m.t.Fatal(err)
	}
	return path
}

// add makes a machine with a database and lcm-tui, and adds it to the store.
func (m *machines) add(host string) (database string) {
	m.t.Helper()
	program, err := os.Executable()
	if err != nil {
		m.t.Fatal(err)
	}
	m.write(host+"/bin/lcm-tui", fmt.Sprintf("#!/bin/sh\nFLEET_TEST_MACHINE='%s/%s' exec '%s' \"$@\"\n", m.folder, host, program))
	return m.addBare(host)
}

// addBare makes a machine with a database alone.
func (m *machines) addBare(host string) (database string) {
	m.t.Helper()
	content, err := os.ReadFile(testdb.Fixture(m.t, "v0.15.3/small.db"))
	if err != nil {
		m.t.Fatal(err)
	}
	database = m.write(host+"/lcm.db", string(content))
	m.register(host, host)
	return database
}

func (m *machines) register(name, place string) {
	m.t.Helper()
	src, err := fleet.Parse(name, place)
	if err == nil {
		err = m.store.Add(src)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *machines) pull(name string) fleet.Pulled {
	m.t.Helper()
	t, err := m.store.Get(name)
	if err != nil {
		m.t.Fatal(err)
	}
	return m.store.Pull(m.t.Context(), t, m.o)
}

// copyOf returns the path of the newest copy of a machine.
func (m *machines) copyOf(name string) string {
	m.t.Helper()
	t, err := m.store.Get(name)
	if err != nil {
		m.t.Fatal(err)
	}
	path, err := m.store.Path(t)
	if err != nil {
		m.t.Fatal(err)
	}
	return path
}

// write gives the first message of a database a text.
func say(t *testing.T, database, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", data.FileURI(database, "_pragma=busy_timeout(5000)"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "UPDATE conversations SET title = ? WHERE conversation_id = 1", text); err != nil {
		t.Fatal(err)
	}
}

func printed(t *testing.T, database string) (text string) {
	t.Helper()
	db, err := sql.Open("sqlite", data.FileURI(database, "mode=ro"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), "SELECT coalesce(title, '') FROM conversations WHERE conversation_id = 1").Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCopiesFollowTheirMachine(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	database := m.add("box")
	for i, text := range []string{"first", "second", "third"} {
		say(t, database, text)
		p := m.pull("box")
		if p.Err != nil || p.Unchanged || p.Bytes == 0 {
			t.Fatalf("%s: %+v", text, p)
		}
		if got := printed(t, m.copyOf("box")); got != text {
			t.Errorf("the copy says %q, not %q", got, text)
		}
		if i > 0 && p.Pages > 4 {
			t.Errorf("%d pages came for one row", p.Pages)
		}
	}
	if p := m.pull("box"); p.Err != nil || !p.Unchanged {
		t.Errorf("nothing changed: %+v", p)
	}
	copies, err := filepath.Glob(filepath.Join(filepath.Dir(m.copyOf("box")), "copy-*.db"))
	if err != nil || len(copies) != 2 {
		t.Errorf("two generations stay, not %v, %v", copies, err)
	}
	for _, path := range copies {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
	}
}

// TestAFailedPullLeavesTheCopy: whatever goes wrong on the way or over there.
func TestAFailedPullLeavesTheCopy(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]struct {
		how   func(m *machines)
		error string
	}{
		"the machine is gone":          {func(m *machines) { m.rename("box", "elsewhere") }, "can't be reached: ssh: connect to host box"},
		"the database is gone":         {func(m *machines) { m.rename("box/lcm.db", "box/other.db") }, "box: open "},
		"the line breaks":              {func(m *machines) { m.cut("head -c 150") }, "isn't whole"},
		"the line breaks at the start": {func(m *machines) { m.cut("head -c 10") }, "isn't whole"},
		"a page changes on its way":    {func(m *machines) { m.cut("sed 's/zstd/zstx/'") }, "doesn't begin as one"},
		"a shell greets":               {func(m *machines) { m.write("box/motd", "Welcome to box!\n") }, "Welcome to box!"},
		"another lcm-tui, an old one":  {func(m *machines) { m.write("box/bin/lcm-tui", "#!/bin/sh\necho 'unknown flag --since' >&2; exit 2\n") }, "unknown flag"},
		"what comes is no database": {func(m *machines) {
			m.write("box/bin/lcm-tui", "#!/bin/sh\nexit 127\n")
			m.write("box/bin/sqlite3", "#!/bin/sh\nfor f; do :; done\nf=${f#*\\'}; head -c 9000 /dev/zero >\"${f%\\'}\"\n")
			m.write("box/.openclaw/lcm.db", "x")
		}, "isn't whole"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachines(t)
			database := m.add("box")
			say(t, database, "before")
			if p := m.pull("box"); p.Err != nil {
				t.Fatal(p.Err)
			}
			was := m.copyOf("box")
			say(t, database, strings.Repeat("after ", 20000))
			spoil.how(m)
			p := m.pull("box")
			if p.Err == nil || !strings.Contains(p.Error, spoil.error) {
				t.Errorf("%v", p.Err)
			}
			if is := m.copyOf("box"); is != was || printed(t, is) != "before" {
				t.Errorf("the copy is %s, and was %s", is, was)
			}
			if state, err := m.store.Get("box"); err != nil || state.Error != p.Error || state.CheckedAt.After(state.TriedAt) {
				t.Errorf("it is noted: %+v, %v", state, err)
			}
		})
	}
}

func (m *machines) rename(from, to string) {
	m.t.Helper()
	if err := os.Rename(filepath.Join(m.folder, from), filepath.Join(m.folder, to)); err != nil {
		m.t.Fatal(err)
	}
}

// cut sends what the machine's lcm-tui writes through a filter.
func (m *machines) cut(filter string) {
	m.t.Helper()
	m.rename("box/bin/lcm-tui", "box/bin/whole")
	m.write("box/bin/lcm-tui", "#!/bin/sh\nwhole \"$@\" | "+filter+"\n")
}

func TestAMachineWithSQLiteAlone(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/usr/bin/sqlite3"); err != nil {
		t.Skip("sqlite3 isn't installed")
	}
	m := newMachines(t)
	database := m.addBare("box")
	say(t, database, "it's here")
	for _, path := range []string{database, "~/lcm.db"} { // As lcm-tui reads them there.
		if err := m.store.Remove("box"); err != nil {
			t.Fatal(err)
		}
		m.register("box", "box:"+path)
		if p := m.pull("box"); p.Err != nil || p.Packed != p.Bytes {
			t.Fatalf("%s: %+v", path, p)
		}
	}
	if got := printed(t, m.copyOf("box")); got != "it's here" {
		t.Errorf("%q", got)
	}
}

// TestTheHintOfAnotherMachineIsOfThere: it is about a command line of that machine.
func TestTheHintOfAnotherMachineIsOfThere(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.add("box")
	m.write("box/bin/lcm-tui", "#!/bin/sh\nprintf 'lcm-tui: it is locked\\n  hint: give more time\\nwith --wait\\n' >&2; exit 1\n")
	p := m.pull("box")
	if p.Err == nil || p.Error != "box: it is locked" || hint.Of(p.Err) != "there: give more time with --wait" || strings.Contains(hint.OnScreen(p.Err), "--wait") {
		t.Errorf("%v, hint %q, on a screen %q", p.Err, hint.Of(p.Err), hint.OnScreen(p.Err))
	}
}

func TestAMachineWithoutAnyProgram(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.addBare("box")
	m.write("box/bare", "")
	m.write("box/bin/sh", "#!/bin/sh\nexec /bin/sh \"$@\"\n")
	p := m.pull("box")
	if p.Err == nil || !strings.Contains(hint.Of(p.Err), "scp") {
		t.Errorf("%v, hint %q", p.Err, hint.Of(p.Err))
	}
}

func TestOneProcessAtATimePulls(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.add("box")
	m.rename("box/bin/lcm-tui", "box/bin/whole")
	began, end := filepath.Join(m.folder, "began"), filepath.Join(m.folder, "end")
	m.write("box/bin/lcm-tui", fmt.Sprintf("#!/bin/sh\ntouch '%s'; while [ ! -f '%s' ]; do sleep 0.02; done; whole \"$@\"\n", began, end))
	first := make(chan fleet.Pulled)
	go func() { first <- m.pull("box") }()
	for {
		if _, err := os.Stat(began); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if p := m.pull("box"); !errors.Is(p.Err, fleet.ErrBusy) {
		t.Errorf("the second: %v", p.Err)
	}
	m.write("end", "")
	if p := <-first; p.Err != nil {
		t.Errorf("the first: %v", p.Err)
	}
}

func TestAPullThatTakesTooLongEnds(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.add("box")
	m.write("box/bin/lcm-tui", "#!/bin/sh\nexec sleep 600\n")
	m.o.Timeout = 300 * time.Millisecond
	if p := m.pull("box"); p.Err == nil || !strings.Contains(p.Error, "not done within 300ms") {
		t.Errorf("%v", p.Err)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	database := filepath.Join(folder, "lcm.db")
	if err := os.WriteFile(database, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string][2]string{
		"laptop":                    {"laptop", ""},
		"me@box.example":            {"me@box.example", ""},
		"box:/srv/a b/lcm.db":       {"box", "/srv/a b/lcm.db"},
		"me@box:db/lcm.db":          {"me@box", "db/lcm.db"},
		"[2001:db8::1]:/srv/lcm.db": {"2001:db8::1", "/srv/lcm.db"},
		"box:/a;rm -rf $HOME":       {"box", "/a;rm -rf $HOME"},
		database:                    {"", database},
		folder:                      {"", database},
	} {
		s, err := fleet.Parse("n", place)
		if err != nil || s.Host != want[0] || s.Path != want[1] {
			t.Errorf("%q: %+v, %v", place, s, err)
		}
		if again, err := fleet.Parse("n", s.Place()); err != nil || again != s {
			t.Errorf("%q comes back as %+v, %v", s.Place(), again, err)
		}
	}
	for _, place := range []string{"", "-oProxyCommand=id", "-box", "a b", "box\n", "$(id)", "a;b", "[-x]:/y", "/nowhere/at/all", "./nothing", "box`id`", ":/x", "a|b:/x"} {
		if s, err := fleet.Parse("n", place); err == nil {
			t.Errorf("%q is taken: %+v", place, s)
		}
	}
	for _, name := range []string{"", "-x", "..", "a/b", "a b", strings.Repeat("x", 41), "ü"} {
		if _, err := fleet.Parse(name, "box"); !errors.Is(err, fleet.ErrName) {
			t.Errorf("name %q: %v", name, err)
		}
	}
}

// TestWordsReachTheOtherShellAsTheyAre: a path with everything that a shell would read.
func TestWordsReachTheOtherShellAsTheyAre(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	database := m.add("box")
	odd := filepath.Join(m.folder, "box", `it's $HOME "x"; echo oops && `+"`id`"+` \ *.db`)
	if err := os.Rename(database, odd); err != nil {
		t.Fatal(err)
	}
	if err := m.store.Remove("box"); err != nil {
		t.Fatal(err)
	}
	m.register("box", "box:"+odd)
	say(t, odd, "found")
	if p := m.pull("box"); p.Err != nil {
		t.Fatal(p.Err)
	}
	if got := printed(t, m.copyOf("box")); got != "found" {
		t.Errorf("%q", got)
	}
}

func TestDamagedNotesAreMadeAgain(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	m.add("box")
	if p := m.pull("box"); p.Err != nil {
		t.Fatal(p.Err)
	}
	folder := filepath.Dir(m.copyOf("box"))
	if err := os.WriteFile(filepath.Join(folder, "copy.json"), []byte(`{"newest":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if p := m.pull("box"); p.Err != nil {
		t.Fatal(p.Err)
	}
	printed(t, m.copyOf("box"))
	// A copy that was cut short is no base for the next one.
	if err := os.Truncate(m.copyOf("box"), 8192); err != nil {
		t.Fatal(err)
	}
	if p := m.pull("box"); p.Err != nil || p.Unchanged {
		t.Fatalf("%+v", p)
	}
	printed(t, m.copyOf("box"))
	if err := os.WriteFile(filepath.Join(folder, "source.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := m.store.All(); err != nil || len(all) != 1 || all[0].Name != "box" || all[0].Error == "" {
		t.Errorf("%+v, %v", all, err)
	}
	if err := m.store.Remove("box"); err != nil {
		t.Error(err)
	}
}

// TestAPullNotesTheRangesOfMessages: they are those of the newest copy, and an unchanged copy without them gets them.
func TestAPullNotesTheRangesOfMessages(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	database := m.add("box")
	runs := func() []textsearch.TimeRun {
		t.Helper()
		s, err := m.store.Get("box")
		if err != nil {
			t.Fatal(err)
		}
		return m.store.MessageRuns(s)
	}
	for i, text := range []string{"first", "second", "second"} {
		say(t, database, text)
		if p := m.pull("box"); p.Err != nil {
			t.Fatal(p.Err)
		}
		db := testdb.Open(t, m.copyOf("box"))
		want, err := textsearch.ExactTimeRuns(t.Context(), db, 100)
		if err != nil || len(want) == 0 {
			t.Fatalf("%v, %v", want, err)
		}
		got := runs()
		same := slices.EqualFunc(got, want, func(a, b textsearch.TimeRun) bool {
			return a.IDRange == b.IDRange && a.First.Equal(b.First) && a.Last.Equal(b.Last)
		})
		if !same {
			t.Errorf("pull %d: %v, want %v", i, got, want)
		}
		note := filepath.Join(filepath.Dir(m.copyOf("box")), "runs.json")
		content, err := os.ReadFile(note)
		if err == nil && i == 1 {
			err = os.WriteFile(note, []byte(strings.Replace(string(content), `"copy-2.db"`, `"copy-1.db"`, 1)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := runs(); i == 1 && got != nil {
			t.Errorf("ranges of another copy: %v", got)
		}
	}
}
