package views

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/ui"
)

// madeUpDatabases are databases of every program and in every state, at paths that are nowhere.
func madeUpDatabases() (found openclaw.Discovery, overviews overviewsMsg, checks []databaseCheckMsg) {
	overviews = overviewsMsg{}
	add := func(db openclaw.Database, kind data.Kind, o lcm.Overview, err error) {
		db.Bytes, db.Modified, db.Regular = 4<<20, demoNow.Add(-time.Duration(len(found.Databases))*time.Hour), true
		o.Kind, o.LastMessageAt = kind, data.CellTime(data.FormatTime(db.Modified.Add(-time.Minute)))
		o.Conversations, o.Messages = 12, 3_455
		found.Databases = append(found.Databases, db)
		overviews[db.Path] = overviewResult{o, err}
	}
	claw := func(level string) data.Kind { return data.Kind{Name: "lossless-claw", Level: level} }
	week := lcm.Growth{Messages: 340, Within: 7 * 24 * time.Hour, PerDay: 59_000}
	add(openclaw.Database{Path: "/home/ann/.openclaw/lcm.db", Program: "OpenClaw", Found: "state folder", Default: true}, claw("0.15.3"),
		lcm.Overview{Growth: week, OpenIn: []string{"node (process 7)"}}, nil)
	add(openclaw.Database{Path: "/home/ann/.openclaw-work/lcm.db", Program: "OpenClaw", Found: "state folder", SameFile: []string{"/srv/lcm.db"}}, claw("1.0 beta"),
		lcm.Overview{Growth: lcm.Growth{Messages: 1000, Within: 3 * time.Hour, PerDay: 9_000_000}}, nil)
	add(openclaw.Database{Path: "/home/ann/.pi/agent/extensions/lossless-claw/lcm.db", Program: "Pi", Found: "Pi"}, claw("0.9.0"), lcm.Overview{}, nil)
	add(openclaw.Database{Path: "/home/ann/.lossless-claude/projects/0123/db.sqlite", Program: "lossless-claude", Found: "lossless-claude", Project: "/home/ann/src/web"},
		data.Kind{Name: "lossless-claude", Relative: true, Note: "a project file of lossless-claude, never written"}, lcm.Overview{}, nil)
	add(openclaw.Database{Path: "/home/ann/nanoclaw/data/lossless-claw/lcm.db", Program: "NanoClaw", Found: "NanoClaw", Project: "/home/ann/nanoclaw"}, claw("0.15.2"),
		lcm.Overview{Warnings: []error{&data.Error{Path: "/home/ann/nanoclaw/data/lossless-claw/lcm.db", Verb: "read", Kind: data.ErrDamaged}}}, nil)
	add(openclaw.Database{Path: "/home/ann/.hermes/a/lcm.db", Program: "Hermes", Found: "Hermes"}, data.Kind{}, lcm.Overview{},
		&data.Error{Path: "/home/ann/.hermes/a/lcm.db", Verb: "open", Kind: data.ErrNotSQLite})
	add(openclaw.Database{Path: "/srv/\x1b[31m\nred/old.db", Found: "--db"}, claw("0.1.0"), lcm.Overview{}, nil)
	found.Problems = []error{&openclaw.DiscoveryError{Path: "/home/ann/.openclaw-root", Err: os.ErrPermission}}
	checks = []databaseCheckMsg{
		{path: found.Databases[0].Path, counts: integrity.Counts{Error: 3, Warn: 1}},
		{path: found.Databases[1].Path, counts: integrity.Counts{Warn: 2}},
		{path: found.Databases[2].Path},
	}
	return found, overviews, checks
}

// showDatabases shows the screen of the databases with what is made up.
func (d *driver) showDatabases() {
	found, overviews, checks := madeUpDatabases()
	d.env.Databases = &DatabaseSource{Find: func(context.Context) openclaw.Discovery { return found }, Choose: func(openclaw.Database) {}}
	d.send(ui.PushMsg{Screen: NewDatabases(d.env)}, overviews)
	for _, c := range checks {
		d.send(c)
	}
}

// TestDatabasesHoldOnlyText: names with control characters and newlines are shown safely, at
// every row.
func TestDatabasesHoldOnlyText(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	d.showDatabases()
	for range 8 {
		for _, size := range [][2]int{{80, 24}, {200, 50}, {40, 12}} {
			d.clean(size[0], size[1])
		}
		d.press("down")
	}
	d.sees("/srv/", "named by --db", "1 place can't be searched")
	d.press("/")
	d.write("claude")
	d.sees("/home/ann/src/web", "1 of 7")
}

// driveDatabases begins with the choice among these files, as the program does where nobody named
// one. Chosen is the one that was chosen.
func driveDatabases(t *testing.T, paths ...string) (d *driver, chosen *string) {
	t.Helper()
	chosen = new(string)
	source := &DatabaseSource{
		Find: func(context.Context) (out openclaw.Discovery) {
			for i, path := range paths {
				db := openclaw.Database{Path: path, Program: "OpenClaw", Found: "state folder", Default: i == 0, Regular: true}
				if info, err := os.Stat(path); err == nil {
					db.Bytes, db.Modified = info.Size(), info.ModTime()
				}
				out.Databases = append(out.Databases, db)
			}
			return out
		},
		Choose: func(db openclaw.Database) { *chosen = db.Path },
	}
	found := source.Find(t.Context())
	app, env := NewApp(t.Context(), Options{Databases: source, Choice: &found}, All())
	t.Cleanup(env.Jobs.Close)
	d = &driver{t: t, app: app, jobs: env.Jobs, env: app.Top().(*Databases).env}
	d.env.Now = func() time.Time { return demoNow }
	d.run(app.Top().Init())
	d.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	return d, chosen
}

// writeSample writes a sample with faults to a file of a folder.
func writeSample(t *testing.T, path string, level fakehost.Level, faults ...string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := sampleCache.Sample(path, level, faults...); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheStartScreenReadsAndOpens: rows fill with what the files are; enter at once opens the
// default one; one that can't be opened says why.
func TestTheStartScreenReadsAndOpens(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := writeSample(t, filepath.Join(dir, "1", "lcm.db"), fakehost.Head)
	second := writeSample(t, filepath.Join(dir, "2", "lcm.db"), fakehost.V0_9, "marker-fallback")
	broken := writeSample(t, filepath.Join(dir, "3", "lcm.db"), fakehost.Head, "not-sqlite")
	d, chosen := driveDatabases(t, first, second, broken, filepath.Join(dir, "4", "lcm.db"))
	d.sees("4 databases", "lossless-claw 0.15.3", "lossless-claw 0.9.0", "not SQLite", "no file", "opened by default", "  ok", "! 1 error")
	d.press("enter")
	if *chosen != first || !d.quit || !d.app.Restart() {
		t.Errorf("enter opens %q, quit %v", *chosen, d.quit)
	}
	d, chosen = driveDatabases(t, first, second, broken)
	d.press("down", "down", "enter")
	d.sees("this is not an SQLite database")
	if *chosen != "" || d.quit {
		t.Errorf("a file that is no database is opened: %q", *chosen)
	}
	if err := os.Remove(second); err != nil { // It goes away meanwhile.
		t.Fatal(err)
	}
	d.press("ctrl+r", "up")
	d.sees("no file", "there is no such file")
	d.press("up", "q")
	if *chosen != "" || !d.quit || d.app.Restart() {
		t.Errorf("q quits: %v, chosen %q", d.quit, *chosen)
	}
}

// TestDatabasesAreCheckedAgainAfterAChange: what was found in a file that has changed since is
// looked for again; what is out of sight isn't checked.
func TestDatabasesAreCheckedAgainAfterAChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := writeSample(t, filepath.Join(dir, "1", "lcm.db"), fakehost.Head)
	paths := []string{path}
	for i := range 40 { // More than fit.
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("none%02d", i)))
	}
	last := writeSample(t, filepath.Join(dir, "2", "lcm.db"), fakehost.Head)
	d, _ := driveDatabases(t, append(paths, last)...)
	d.sees("  ok")
	rows := d.app.Top().(*Databases).rows
	if r := rows[len(rows)-1]; r.overview == nil || r.counts != nil {
		t.Errorf("out of sight: overview %v, counts %v", r.overview, r.counts)
	}
	if err := faults.Break(path, "marker-fallback"); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	d.press("ctrl+r")
	d.sees("! 1 error")
	d.misses("  ok")
}

// TestSwitchingToAnotherDatabase: from inside a conversation, :db shows the databases with the
// open one marked, esc returns, and another one is opened after a question where texts that
// nobody applied would be lost.
func TestSwitchingToAnotherDatabase(t *testing.T) {
	t.Parallel()
	d := driveDemo(t)
	other := writeSample(t, filepath.Join(t.TempDir(), "lcm.db"), fakehost.Head)
	chosen := ""
	d.open(2, tabSummaries)
	d.palette("db")
	d.sees("this program was started for one database only")
	d.press("esc")
	d.env.Databases = &DatabaseSource{
		Find: func(context.Context) openclaw.Discovery {
			return openclaw.Discovery{Databases: []openclaw.Database{{Path: other, Program: "Pi", Found: "Pi", Default: true}, {Path: d.path, SameFile: []string{"/elsewhere"}}}}
		},
		Choose: func(db openclaw.Database) { chosen = db.Path },
	}
	d.palette("db")
	d.press("enter")
	if s, ok := d.app.Top().(*Databases); !ok || s.Copy() != d.path {
		t.Fatalf("the cursor isn't on the open database, on %s", d.app.Top().Title())
	}
	d.press("enter")
	if _, ok := d.app.Top().(*Databases); ok || d.quit {
		t.Error("the open database isn't returned to")
	}
	d.palette("db")
	d.press("enter", "esc")
	if _, ok := d.app.Top().(*Databases); ok || d.quit {
		t.Error("esc doesn't return")
	}
	d.env.handTexts = map[string]*handText{"sum_1": {}}
	d.palette("db")
	d.press("enter", "up", "enter")
	d.sees("Open another database?")
	d.press("esc")
	if chosen != "" || d.quit {
		t.Errorf("without a yes %q is opened", chosen)
	}
	d.press("enter", "y")
	if chosen != other || !d.quit || !d.app.Restart() {
		t.Errorf("after a yes %q is opened, quit %v", chosen, d.quit)
	}
}

// TestWelcomeLeadsToTheDatabases: where one can't be opened the others are a key away.
func TestWelcomeLeadsToTheDatabases(t *testing.T) {
	t.Parallel()
	path := writeSample(t, filepath.Join(t.TempDir(), "lcm.db"), fakehost.Head)
	source := &DatabaseSource{Find: func(context.Context) openclaw.Discovery {
		return openclaw.Discovery{Databases: []openclaw.Database{{Path: path, Found: "--db"}}}
	}}
	searched := []openclaw.Searched{{Where: "Pi", Path: "/home/ann/.pi/lcm.db"}, {Where: "Hermes", Path: "/home/ann/.hermes/**/lcm.db", Found: 2}}
	app, env := NewApp(t.Context(), Options{Databases: source, Err: errTest{}, Searched: searched}, All())
	t.Cleanup(env.Jobs.Close)
	d := &driver{t: t, app: app, jobs: env.Jobs}
	d.sees("/home/ann/.pi/lcm.db", "/home/ann/.hermes/**/lcm.db", "2 files")
	d.press("d")
	d.sees("1 database", "lossless-claw 0.15.3")
	d.press("esc")
	d.sees("No database is open")
}

// TestFiveHundredDatabases are listed, and all are read.
func TestFiveHundredDatabases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	for i := range 500 {
		path := filepath.Join(dir, fmt.Sprintf("%03d.db", i))
		if err := os.WriteFile(path, []byte(strings.Repeat("no database\n", 100)), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	d, _ := driveDatabases(t, paths...)
	for _, r := range d.app.Top().(*Databases).rows {
		if r.err == nil {
			t.Fatalf("%s wasn't read", r.Path)
		}
	}
	d.sees("500 databases", "1 of 500")
}
