package viewtest

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
	"lcm-tui/ui/shell"
	"lcm-tui/views"
)

// Fixture is testdb.Fixture.
var Fixture = testdb.Fixture

// DemoNow is the present of every driver. Screens show times in its zone, so
// tests are the same wherever they run.
var DemoNow = time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)

// Driver is the program without a terminal and without the passing of time:
// after every message it runs the commands, jobs included, until nothing is left
// to do. The watch for changes from outside isn't started; send ui.ChangedMsg.
type Driver struct {
	T    *testing.T
	App  *shell.App
	Jobs *ui.Jobs
	Env  *views.Env
	Path string // The database.
	Clip string // What was copied last.
	Quit bool
	// Closed says that the test has closed the database.
	Closed bool
	Queue  []tea.Cmd
}

// Screens are those of the driver's program. The package of a screen can't be imported from here and from
// its own tests, so each package of tests says with Use which it has.
var Screens = &views.Screens{}

// Use adds the screens of packages.
func Use(register ...func(*views.Screens)) {
	for _, r := range register {
		r(Screens)
	}
}

// SampleCache is where the tests' databases come from.
var SampleCache samples.Cache

// DriveDemo opens the demonstration database.
func DriveDemo(t *testing.T) *Driver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := SampleCache.Demo(path, DemoNow); err != nil {
		t.Fatal(err)
	}
	return driveChecked(t, path, demoChecks.unasked(t, path))
}

// DriveSample opens a sample of a level with faults.
func DriveSample(t *testing.T, level fakehost.Level, faults ...string) *Driver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := SampleCache.Sample(path, level, faults...); err != nil {
		t.Fatal(err)
	}
	return DriveFile(t, path)
}

// DriveFile opens the database at path, with its large files in lcm-files beside
// it, in a window of 120 by 36.
func DriveFile(t *testing.T, path string) *Driver {
	t.Helper()
	return driveChecked(t, path, nil)
}

// driveChecked opens a file as DriveFile does, with what checks the conversations of the list unasked; nil is the engine.
func driveChecked(t *testing.T, path string, check views.CheckFunc) *Driver {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	db.Now = func() time.Time { return DemoNow }
	app, env := views.NewApp(t.Context(), views.Options{DB: db, FileLabel: views.FileLabel{Name: filepath.Base(path)}, Files: filepath.Join(filepath.Dir(path), "lcm-files")}, Screens)
	d := &Driver{T: t, App: app, Jobs: env.Jobs, Env: env, Path: path}
	t.Cleanup(func() {
		env.Jobs.Close()
		if err := db.Close(); err != nil && !d.Closed {
			t.Error(err)
		}
	})
	d.Env.Now = func() time.Time { return DemoNow }
	d.Env.Idle, d.Env.SearchRest, d.Env.CheckRows = 0, 0, check
	d.Run(app.Top().Init())
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 36})
	return d
}

// Open shows a tab of a conversation, and returns its screen.
func (d *Driver) Open(conv int64, tab int) ui.Screen {
	d.T.Helper()
	row, err := lcm.ReadConversation(d.T.Context(), d.Env.DB, conv)
	if err != nil {
		d.T.Fatal(err)
	}
	d.Send(ui.PushMsg{Screen: views.NewConversation(d.Env, row, 128_000).Tab(tab)})
	return d.App.Top()
}

// mostCommands is how many commands may follow from one message. A screen that tries again and again
// what fails would never end.
const mostCommands = 5_000

// Run runs a command and all that follows from it.
func (d *Driver) Run(cmd tea.Cmd) {
	d.T.Helper()
	d.Queue = append(d.Queue, cmd)
	for n := 0; len(d.Queue) > 0; n++ {
		if n == mostCommands {
			d.T.Fatalf("%d commands follow from one message, and there is no end:\n%s", n, Plain(d.App.View().Content))
		}
		next := d.Queue[0]
		d.Queue = d.Queue[1:]
		if next != nil {
			d.receive(next())
		}
	}
}

func (d *Driver) receive(msg tea.Msg) {
	switch m := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		d.Queue = append(d.Queue, m...)
		return
	case tea.QuitMsg:
		d.Quit = true
		return
	}
	if v := reflect.ValueOf(msg); v.Type().String() == "tea.setClipboardMsg" {
		d.Clip = v.String()
		return
	}
	_, cmd := d.App.Update(msg)
	d.Queue = append(d.Queue, cmd)
}

// Send gives the program messages, one after the other.
func (d *Driver) Send(msgs ...tea.Msg) {
	for _, m := range msgs {
		d.Run(ui.Say(m))
	}
}

// Press presses keys, spelled as in key bindings: "d", "enter", "ctrl+p". The
// screen is drawn after each, as it would be, since pages depend on its height.
func (d *Driver) Press(keys ...string) {
	for _, k := range keys {
		d.App.View()
		d.Send(ui.Press(k))
	}
}

// Write types text into a prompt.
func (d *Driver) Write(text string) {
	for _, r := range text {
		k := string(r)
		if r == ' ' {
			k = "space"
		}
		d.Press(k)
	}
}

// Screen returns what is seen in a window of this size, without styles and without
// blanks at the ends of lines.
func (d *Driver) Screen(width, height int) string {
	return Plain(d.Raw(width, height))
}

// Raw returns screen with its styles.
func (d *Driver) Raw(width, height int) string {
	d.Send(tea.WindowSizeMsg{Width: width, Height: height})
	return d.App.View().Content
}

// Plain returns a screen without styles and without blanks at the ends of lines.
func Plain(styled string) string {
	lines := strings.Split(ansi.Strip(styled), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// Sees fails unless every text is on a screen of 120 by 36.
func (d *Driver) Sees(want ...string) {
	d.T.Helper()
	got := d.Screen(120, 36)
	for _, w := range want {
		if !strings.Contains(got, w) {
			d.T.Errorf("the screen does not show %q:\n%s", w, got)
		}
	}
}

// Misses fails if a text is on a screen of 120 by 36.
func (d *Driver) Misses(unwanted ...string) {
	d.T.Helper()
	got := d.Screen(120, 36)
	for _, w := range unwanted {
		if strings.Contains(got, w) {
			d.T.Errorf("the screen shows %q:\n%s", w, got)
		}
	}
}

var fileSize = regexp.MustCompile(` · [0-9.]+ [kMG]?B`)

// Golden compares screens of 120 by 36 and 80 by 24 with the files in testdata;
// go test -update writes them.
func (d *Driver) Golden() {
	d.T.Helper()
	d.GoldenAt([2]int{120, 36}, [2]int{80, 24})
}

// Goldens compares as Golden does, with a screen of 200 by 50 as well.
func (d *Driver) Goldens() {
	d.T.Helper()
	d.GoldenAt([2]int{120, 36}, [2]int{80, 24}, [2]int{200, 50})
}

// GoldenAt compares screens of these sizes with the files in testdata.
func (d *Driver) GoldenAt(sizes ...[2]int) {
	d.T.Helper()
	var b strings.Builder
	for _, size := range sizes {
		fmt.Fprintf(&b, "%d × %d\n%s\n", size[0], size[1], d.Screen(size[0], size[1]))
	}
	golden.RequireEqual(d.T, fileSize.ReplaceAllString(b.String(), ""))
}

// Clean fails if a screen holds anything but text, newlines and colours, or a
// line that is wider than the window.
func (d *Driver) Clean(width, height int) {
	d.T.Helper()
	raw := d.Raw(width, height)
	for _, r := range Sgr.ReplaceAllString(raw, "") {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
			d.T.Errorf("the screen holds %U", r)
		}
	}
	for _, l := range strings.Split(raw, "\n") {
		if w := ansi.StringWidth(l); w > width {
			d.T.Errorf("a line has %d cells of %d: %q", w, width, l)
		}
	}
}

// Sgr matches a sequence that sets a style.
var Sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")
