package home

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/hint"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// madeUpDatabases returns databases of every program and in every state, at paths that are nowhere.
func madeUpDatabases() (found openclaw.Discovery, overviews overviewsMsg, checks []databaseCheckMsg) {
	overviews = overviewsMsg{}
	add := func(db openclaw.Database, kind data.Kind, o lcm.Overview, err error) {
		db.Bytes, db.Modified, db.Regular = 4<<20, viewtest.DemoNow.Add(-time.Duration(len(found.Databases))*time.Hour), true
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
	found.Problems = []error{hint.New("look for databases in /home/ann/.openclaw-root: "+os.ErrPermission.Error(), "the other places were searched")}
	checks = []databaseCheckMsg{
		{path: found.Databases[0].Path, counts: integrity.Counts{Error: 3, Warn: 1}},
		{path: found.Databases[1].Path, counts: integrity.Counts{Warn: 2}},
		{path: found.Databases[2].Path},
	}
	return found, overviews, checks
}

// showDatabases shows the screen of the databases with what is made up.
func showDatabases(d *viewtest.Driver) {
	found, overviews, checks := madeUpDatabases()
	d.Env.Databases = &views.DatabaseSource{Find: func(context.Context) openclaw.Discovery { return found }, Choose: func(openclaw.Database) {}}
	d.Send(ui.PushMsg{Screen: NewDatabases(d.Env)}, overviews)
	for _, c := range checks {
		d.Send(c)
	}
}

// TestDatabasesHoldOnlyText: names with control characters and newlines are shown safely, at
// every row.
func TestDatabasesHoldOnlyText(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	showDatabases(d)
	for range 8 {
		for _, size := range [][2]int{{80, 24}, {200, 50}, {40, 12}} {
			d.Clean(size[0], size[1])
		}
		d.Press("down")
	}
	d.Sees("/srv/", "named by --db", "1 place can't be searched")
	d.Press("/")
	d.Write("claude")
	d.Sees("/home/ann/src/web", "1 of 7")
}

// driveDatabases begins with the choice among these files, as the program does where nobody named
// one. Chosen is the one that was chosen.
func driveDatabases(t *testing.T, paths ...string) (d *viewtest.Driver, chosen *string) {
	t.Helper()
	chosen = new(string)
	source := &views.DatabaseSource{
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
	app, env := views.NewApp(t.Context(), views.Options{Databases: source, Choice: &found}, viewtest.Screens)
	t.Cleanup(env.Jobs.Close)
	d = &viewtest.Driver{T: t, App: app, Jobs: env.Jobs, Env: app.Top().(*Databases).env}
	d.Env.Now = func() time.Time { return viewtest.DemoNow }
	d.Run(app.Top().Init())
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 36})
	return d, chosen
}

// writeSample writes a sample with faults to a file of a folder.
func writeSample(t *testing.T, path string, level fakehost.Level, faults ...string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := viewtest.SampleCache.Sample(path, level, faults...); err != nil {
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
	d.Sees("4 databases", "lossless-claw 0.15.3", "lossless-claw 0.9.0", "not SQLite", "no file", "opened by default", "  ok", "! 1 error")
	d.Press("enter")
	if *chosen != first || !d.Quit || !d.App.Restart() {
		t.Errorf("enter opens %q, quit %v", *chosen, d.Quit)
	}
	d, chosen = driveDatabases(t, first, second, broken)
	d.Press("down", "down", "enter")
	d.Sees("this is not an SQLite database")
	if *chosen != "" || d.Quit {
		t.Errorf("a file that is no database is opened: %q", *chosen)
	}
	if err := os.Remove(second); err != nil { // It goes away meanwhile.
		t.Fatal(err)
	}
	d.Press("ctrl+r", "up")
	d.Sees("no file", "there is no such file")
	d.Press("up", "q")
	if *chosen != "" || !d.Quit || d.App.Restart() {
		t.Errorf("q quits: %v, chosen %q", d.Quit, *chosen)
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
	d.Sees("  ok")
	rows := d.App.Top().(*Databases).rows
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
	d.Press("ctrl+r")
	d.Sees("! 1 error")
	d.Misses("  ok")
}

// TestSwitchingToAnotherDatabase: from inside a conversation, :db shows the databases with the
// open one marked, esc returns, and another one is opened after a question where texts that
// nobody applied would be lost.
func TestSwitchingToAnotherDatabase(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	other := writeSample(t, filepath.Join(t.TempDir(), "lcm.db"), fakehost.Head)
	chosen := ""
	d.Open(2, views.TabSummaries)
	d.Palette("db")
	d.Sees("this program was started for one database only")
	d.Press("esc")
	d.Env.Databases = &views.DatabaseSource{
		Find: func(context.Context) openclaw.Discovery {
			return openclaw.Discovery{Databases: []openclaw.Database{{Path: other, Program: "Pi", Found: "Pi", Default: true}, {Path: d.Path, SameFile: []string{"/elsewhere"}}}}
		},
		Choose: func(db openclaw.Database) { chosen = db.Path },
	}
	d.Palette("db")
	d.Press("enter")
	if s, ok := d.App.Top().(*Databases); !ok || s.Copy() != d.Path {
		t.Fatalf("the cursor isn't on the open database, on %s", d.App.Top().Title())
	}
	d.Press("enter")
	if _, ok := d.App.Top().(*Databases); ok || d.Quit {
		t.Error("the open database isn't returned to")
	}
	d.Palette("db")
	d.Press("enter", "esc")
	if _, ok := d.App.Top().(*Databases); ok || d.Quit {
		t.Error("esc doesn't return")
	}
	d.Env.HandTexts = map[string]*views.HandText{"sum_1": {}}
	d.Palette("db")
	d.Press("enter", "up", "enter")
	d.Sees("Open another database?")
	d.Press("esc")
	if chosen != "" || d.Quit {
		t.Errorf("without a yes %q is opened", chosen)
	}
	d.Press("enter", "y")
	if chosen != other || !d.Quit || !d.App.Restart() {
		t.Errorf("after a yes %q is opened, quit %v", chosen, d.Quit)
	}
}

// TestWelcomeLeadsToTheDatabases: where one can't be opened the others are a key away.
func TestWelcomeLeadsToTheDatabases(t *testing.T) {
	t.Parallel()
	path := writeSample(t, filepath.Join(t.TempDir(), "lcm.db"), fakehost.Head)
	source := &views.DatabaseSource{Find: func(context.Context) openclaw.Discovery {
		return openclaw.Discovery{Databases: []openclaw.Database{{Path: path, Found: "--db"}}}
	}}
	searched := []openclaw.Searched{{Where: "Pi", Path: "/home/ann/.pi/lcm.db"}, {Where: "Hermes", Path: "/home/ann/.hermes/**/lcm.db", Found: 2}}
	app, env := views.NewApp(t.Context(), views.Options{Databases: source, NotOpened: views.NotOpened{Err: errTest{}, Searched: searched}}, viewtest.Screens)
	t.Cleanup(env.Jobs.Close)
	d := &viewtest.Driver{T: t, App: app, Jobs: env.Jobs}
	d.Sees("/home/ann/.pi/lcm.db", "/home/ann/.hermes/**/lcm.db", "2 files")
	d.Press("d")
	d.Sees("1 database", "lossless-claw 0.15.3")
	d.Press("esc")
	d.Sees("No database is open", "q quit")
	d.Misses("t try")
	asked := false
	source.Demo = func() { asked = true }
	if d.Press("t"); !asked || !d.App.Restart() {
		t.Errorf("the demonstration was asked for: %v", asked)
	}
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
	for _, r := range d.App.Top().(*Databases).rows {
		if r.err == nil {
			t.Fatalf("%s wasn't read", r.Path)
		}
	}
	d.Sees("500 databases", "1 of 500")
}

// TestEveryScreenInEveryTheme draws the databases at three sizes, on a dark and a light background and without
// colour.
func TestEveryScreenInEveryTheme(t *testing.T) {
	t.Parallel()
	t.Run("databases", func(t *testing.T) {
		t.Parallel()
		d := viewtest.DriveDemo(t)
		showDatabases(d)
		golden.RequireEqual(t, d.DrawThemes())
	})
}
