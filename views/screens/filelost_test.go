package screens

import (
	"errors"
	"os"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
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
			d := viewtest.DriveDemo(t)
			d.Env.CanReopen = true
			watch := d.Env.WatchDisk(d.Env.DB.Changed)
			if _, err := watch(t.Context()); err != nil {
				t.Fatal(err)
			}
			d.Open(2, views.TabMessages)
			damage(t, d.Path)
			_, err := watch(t.Context())
			if err == nil {
				t.Fatal("nothing is noticed")
			}
			d.Send(ui.ErrorMsg{Err: err})
			d.Sees("! "+say, "D details")
			for _, tab := range []string{"2", "3", "4", "5", "6", "1"} {
				d.Press(tab)
				d.Send(ui.ChangedMsg{External: true})
				d.Press("down", "J", "esc")
				d.Sees("! " + say)
			}
			d.Send(ui.HomeMsg{})
			if away := d.Path + ".away"; exists(away) {
				must(t, os.Rename(away, d.Path))
				if _, err := watch(t.Context()); err != nil {
					t.Fatal(err)
				}
				d.Misses("! " + say)
			}
			d.Palette("open the file again")
			d.Press("enter")
			if !d.Quit || !d.App.Restart() {
				t.Error("the file can't be opened again")
			}
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
	app, env := views.NewApp(t.Context(), views.Options{NotOpened: views.NotOpened{Err: data.ErrNotFound}, CanReopen: true}, All())
	t.Cleanup(env.Jobs.Close)
	d := &viewtest.Driver{T: t, App: app, Jobs: env.Jobs}
	d.Run(app.Init())
	d.Sees("No database is open", "r try again")
	d.Press("/", "r", "esc")
	if d.Quit {
		t.Fatal("typing in the search ends the program")
	}
	d.Press("r")
	if !d.Quit || !app.Restart() {
		t.Error("r doesn't look again")
	}
	for l := range strings.SplitSeq(d.Screen(80, 24), "\n") {
		if strings.Contains(l, "lcm-tui demo") && !strings.HasSuffix(l, "at the end") {
			t.Errorf("at 80 columns a line is broken: %q", l)
		}
	}
}
