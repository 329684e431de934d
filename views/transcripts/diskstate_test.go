package transcripts

import (
	"errors"
	"os"
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestTheLoopLooksAtNoFiles: what the screens need of the settings and of the database's
// permissions is read off the update loop, and asked for there as often as one likes.
func TestTheLoopLooksAtNoFiles(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	calls := 0
	d.Env.Settings = func() settings.Settings {
		calls++
		return settings.Load(func(name string) string {
			return map[string]string{"LCM_FRESH_TAIL_COUNT": "3"}[name]
		}, openclaw.Config{}, nil)
	}
	d.Env.ReadDiskState()
	if calls != 1 {
		t.Fatalf("the settings were read %d times", calls)
	}
	d.Open(1, views.TabContext)
	d.Sees("fresh tail 3")
	d.Press("esc")
	d.Send(ui.PushMsg{Screen: NewSessionFiles(d.Env)})
	if op := d.App.Top().(*SessionFiles).request("x"); op.Threshold <= 0 {
		t.Errorf("a file is large from %d tokens on", op.Threshold)
	}
	d.Press("esc")
	if calls != 1 {
		t.Errorf("the settings were read %d times more on the way", calls-1)
	}
	if err := os.Chmod(d.Path, 0o400); err != nil {
		t.Fatal(err)
	}
	if d.Env.ReadOnly() != "" {
		t.Error("the file's permissions were looked at")
	}
	d.Env.ReadDiskState()
	if got := d.Env.ReadOnly(); got != "the file is open read-only: it or its folder can't be written" {
		t.Errorf("the reason is %q", got)
	}
}

// TestNothingIsChangedInAFileThatWent, and the reason says what became of it, and what to do.
func TestNothingIsChangedInAFileThatWent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		change     func(path string) error
	}{
		{"deleted", "the file was deleted; put it back", os.Remove},
		{"replaced", "another file stands in its place; open the file again with :db", func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("another"), 0o600), os.Rename(path+".new", path))
		}},
		{"emptied", "the file was emptied; restore a backup", func(path string) error { return os.Truncate(path, 0) }},
		{"cut off", "a part of the file was cut off; open the file again with :db", func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return os.Truncate(path, info.Size()/2)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveSample(t, fakehost.Head)
			watch := d.Env.WatchDisk(d.Env.DB.Changed)
			if _, err := watch(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := c.change(d.Path); err != nil {
				t.Fatal(err)
			}
			if _, err := watch(t.Context()); err == nil {
				t.Error("the watch finds nothing")
			}
			if got := d.Env.ReadOnly(); got != c.want {
				t.Errorf("the reason is %q, want %q", got, c.want)
			}
		})
	}
}
