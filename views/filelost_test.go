package views

import (
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
)

// damageFile are the ways in which a file goes while screens show it, with what the header
// says as long as that lasts.
var damageFile = map[string]func(t *testing.T, path string){
	"file deleted": func(t *testing.T, path string) { must(t, os.Rename(path, path+".away")) },
	"file replaced": func(t *testing.T, path string) {
		must(t, os.Rename(path, path+".away"))
		must(t, os.WriteFile(path, []byte("another file"), 0o600))
	},
	"file emptied": func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) },
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheFileGoesWhileItIsShown: every screen goes on, says so, and offers to open the file
// again; once the file is back the header says nothing.
func TestTheFileGoesWhileItIsShown(t *testing.T) {
	t.Parallel()
	for say, damage := range damageFile {
		t.Run(say, func(t *testing.T) {
			t.Parallel()
			d := driveDemo(t)
			d.env.CanReopen = true
			watch := d.env.watchDisk(d.env.DB.Changed)
			if _, err := watch(t.Context()); err != nil {
				t.Fatal(err)
			}
			d.open(2, tabMessages)
			damage(t, d.path)
			_, err := watch(t.Context())
			if err == nil {
				t.Fatal("nothing is noticed")
			}
			d.send(ui.ErrorMsg{Err: err})
			d.sees("! "+say, "D details")
			for _, tab := range []string{"2", "3", "4", "5", "6", "1"} {
				d.press(tab)
				d.send(ui.ChangedMsg{External: true})
				d.press("down", "J", "esc")
				d.sees("! " + say)
			}
			d.send(ui.HomeMsg{})
			if away := d.path + ".away"; exists(away) {
				must(t, os.Rename(away, d.path))
				if _, err := watch(t.Context()); err != nil {
					t.Fatal(err)
				}
				d.misses("! " + say)
			}
			d.palette("open the file again")
			d.press("enter")
			if !d.quit || !d.app.Restart() {
				t.Error("the file can't be opened again")
			}
		})
	}
}

// TestWhatCantBeReadIsNotTriedForEver: a screen whose every read fails comes to rest, after a change
// of the file too, and takes keys.
func TestWhatCantBeReadIsNotTriedForEver(t *testing.T) {
	t.Parallel()
	for i, name := range slices.Sorted(maps.Keys(everyScreen)) {
		if !testdb.Runs(i) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := driveEveryScreen(t, name)
			d.env.checkRows = nil
			everyScreen[name](d)
			must(t, d.env.DB.Close())
			d.send(ui.ChangedMsg{External: true})
			d.press("down", "esc")
			d.send(ui.HomeMsg{})
			d.press("down", "up")
			d.send(ui.ChangedMsg{})
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// TestNoDatabaseIsOpen: the first screen says where one was looked for, and looks again.
func TestNoDatabaseIsOpen(t *testing.T) {
	t.Parallel()
	app, env := NewApp(t.Context(), Options{Err: data.ErrNotFound, CanReopen: true}, All())
	t.Cleanup(env.Jobs.Close)
	d := &driver{t: t, app: app, jobs: env.Jobs}
	d.run(app.Init())
	d.sees("No database is open", "r try again")
	d.press("/", "r", "esc")
	if d.quit {
		t.Fatal("typing in the search ends the program")
	}
	d.press("r")
	if !d.quit || !app.Restart() {
		t.Error("r doesn't look again")
	}
	for l := range strings.SplitSeq(d.screen(80, 24), "\n") {
		if strings.Contains(l, "lcm-tui demo") && !strings.HasSuffix(l, "at the end") {
			t.Errorf("at 80 columns a line is broken: %q", l)
		}
	}
}
