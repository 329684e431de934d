package views

import (
	"database/sql"
	"errors"
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
)

var fixture = testdb.Fixture

// demoNow is the present of every driver. Screens show times in its zone, so
// tests are the same wherever they run.
var demoNow = time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)

// driver is the program without a terminal and without the passing of time:
// after every message it runs the commands, jobs included, until nothing is left
// to do. The watch for changes from outside isn't started; send ui.ChangedMsg.
type driver struct {
	t     *testing.T
	app   *ui.App
	jobs  *ui.Jobs
	env   *Env
	path  string // The database.
	clip  string // What was copied last.
	quit  bool
	queue []tea.Cmd
}

// sampleCache is where the tests' databases come from.
var sampleCache samples.Cache

// driveDemo opens the demonstration database.
func driveDemo(t *testing.T) *driver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Demo(path, demoNow); err != nil {
		t.Fatal(err)
	}
	return driveChecked(t, path, demoChecks.unasked(t, path))
}

// driveSample opens a sample of a level with faults.
func driveSample(t *testing.T, level fakehost.Level, faults ...string) *driver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, level, faults...); err != nil {
		t.Fatal(err)
	}
	return driveFile(t, path)
}

// driveFile opens the database at path, with its large files in lcm-files beside
// it, in a window of 120 by 36.
func driveFile(t *testing.T, path string) *driver {
	t.Helper()
	return driveChecked(t, path, nil)
}

// driveChecked is driveFile with what checks the conversations of the list unasked; nil is the engine.
func driveChecked(t *testing.T, path string, check checkFunc) *driver {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	db.Now = func() time.Time { return demoNow }
	app, env := NewApp(t.Context(), Options{DB: db, Files: filepath.Join(filepath.Dir(path), "lcm-files")}, All())
	t.Cleanup(func() {
		env.Jobs.Close()
		if err := db.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) { // A test may have closed it.
			t.Error(err)
		}
	})
	d := &driver{t: t, app: app, jobs: env.Jobs, env: env, path: path}
	d.env.Now = func() time.Time { return demoNow }
	d.env.idle, d.env.searchRest, d.env.checkRows = 0, 0, check
	d.run(app.Top().Init())
	d.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	return d
}

// open shows a tab of a conversation, and returns its screen.
func (d *driver) open(conv int64, tab int) ui.Screen {
	d.t.Helper()
	row, err := lcm.ReadConversation(d.t.Context(), d.env.DB, conv)
	if err != nil {
		d.t.Fatal(err)
	}
	d.send(ui.PushMsg{Screen: NewConversation(d.env, row, 128_000).Tab(tab)})
	return d.app.Top()
}

// mostCommands is how many commands may follow from one message. A screen that tries again and again
// what fails would never end.
const mostCommands = 5_000

// run runs a command and all that follows from it.
func (d *driver) run(cmd tea.Cmd) {
	d.t.Helper()
	d.queue = append(d.queue, cmd)
	for n := 0; len(d.queue) > 0; n++ {
		if n == mostCommands {
			d.t.Fatalf("%d commands follow from one message, and there is no end:\n%s", n, plain(d.app.View().Content))
		}
		next := d.queue[0]
		d.queue = d.queue[1:]
		if next != nil {
			d.receive(next())
		}
	}
}

func (d *driver) receive(msg tea.Msg) {
	switch m := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		d.queue = append(d.queue, m...)
		return
	case tea.QuitMsg:
		d.quit = true
		return
	}
	if v := reflect.ValueOf(msg); v.Type().String() == "tea.setClipboardMsg" {
		d.clip = v.String()
		return
	}
	_, cmd := d.app.Update(msg)
	d.queue = append(d.queue, cmd)
}

// send gives the program messages, one after the other.
func (d *driver) send(msgs ...tea.Msg) {
	for _, m := range msgs {
		d.run(ui.Say(m))
	}
}

// press presses keys, spelled as in key bindings: "d", "enter", "ctrl+p". The
// screen is drawn after each, as it would be, since pages depend on its height.
func (d *driver) press(keys ...string) {
	for _, k := range keys {
		d.app.View()
		d.send(ui.Press(k))
	}
}

// write types text into a prompt.
func (d *driver) write(text string) {
	for _, r := range text {
		k := string(r)
		if r == ' ' {
			k = "space"
		}
		d.press(k)
	}
}

// screen is what is seen in a window of this size, without styles and without
// blanks at the ends of lines.
func (d *driver) screen(width, height int) string {
	return plain(d.raw(width, height))
}

// raw is screen with its styles.
func (d *driver) raw(width, height int) string {
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d.app.View().Content
}

func plain(styled string) string {
	lines := strings.Split(ansi.Strip(styled), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// sees fails unless every text is on a screen of 120 by 36.
func (d *driver) sees(want ...string) {
	d.t.Helper()
	got := d.screen(120, 36)
	for _, w := range want {
		if !strings.Contains(got, w) {
			d.t.Errorf("the screen does not show %q:\n%s", w, got)
		}
	}
}

// misses fails if a text is on a screen of 120 by 36.
func (d *driver) misses(unwanted ...string) {
	d.t.Helper()
	got := d.screen(120, 36)
	for _, w := range unwanted {
		if strings.Contains(got, w) {
			d.t.Errorf("the screen shows %q:\n%s", w, got)
		}
	}
}

var fileSize = regexp.MustCompile(` · [0-9.]+ [kMG]?B`)

// golden compares screens of 120 by 36 and 80 by 24 with the files in testdata;
// go test -update writes them.
func (d *driver) golden() {
	d.t.Helper()
	d.goldenAt([2]int{120, 36}, [2]int{80, 24})
}

// goldens is golden with a screen of 200 by 50 as well.
func (d *driver) goldens() {
	d.t.Helper()
	d.goldenAt([2]int{120, 36}, [2]int{80, 24}, [2]int{200, 50})
}

func (d *driver) goldenAt(sizes ...[2]int) {
	d.t.Helper()
	var b strings.Builder
	for _, size := range sizes {
		fmt.Fprintf(&b, "%d × %d\n%s\n", size[0], size[1], d.screen(size[0], size[1]))
	}
	golden.RequireEqual(d.t, fileSize.ReplaceAllString(b.String(), ""))
}

// clean fails if a screen holds anything but text, newlines and colours, or a
// line that is wider than the window.
func (d *driver) clean(width, height int) {
	d.t.Helper()
	raw := d.raw(width, height)
	for _, r := range sgr.ReplaceAllString(raw, "") {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
			d.t.Errorf("the screen holds %U", r)
		}
	}
	for _, l := range strings.Split(raw, "\n") {
		if w := ansi.StringWidth(l); w > width {
			d.t.Errorf("a line has %d cells of %d: %q", w, width, l)
		}
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")
