package views

import (
	"errors"
	"os"
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
)

// TestTheLoopLooksAtNoFiles: what the screens need of the settings and of the database's
// permissions is read off the update loop, and asked for there as often as one likes.
func TestTheLoopLooksAtNoFiles(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.Head)
	calls := 0
	d.env.Settings = func() settings.Settings {
		calls++
		return settings.Load(func(name string) string {
			return map[string]string{"LCM_FRESH_TAIL_COUNT": "3"}[name]
		}, openclaw.Config{}, nil)
	}
	d.env.readDiskState()
	if calls != 1 {
		t.Fatalf("the settings were read %d times", calls)
	}
	d.open(1, tabContext)
	d.sees("fresh tail 3")
	d.press("esc")
	d.send(ui.PushMsg{Screen: NewSessionFiles(d.env)})
	if op := d.app.Top().(*SessionFiles).request("x"); op.Threshold <= 0 {
		t.Errorf("a file is large from %d tokens on", op.Threshold)
	}
	d.press("esc")
	if calls != 1 {
		t.Errorf("the settings were read %d times more on the way", calls-1)
	}
	if err := os.Chmod(d.path, 0o400); err != nil {
		t.Fatal(err)
	}
	if d.env.readOnly() != "" {
		t.Error("the file's permissions were looked at")
	}
	d.env.readDiskState()
	if d.env.readOnly() == "" {
		t.Error("the file may not be written, and nobody noticed")
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
		{"replaced", "another file stands in its place; open the file again with :", func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("another"), 0o600), os.Rename(path+".new", path))
		}},
		{"emptied", "the file was emptied; restore a backup", func(path string) error { return os.Truncate(path, 0) }},
		{"cut off", "a part of the file was cut off; open the file again with :", func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return os.Truncate(path, info.Size()/2)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := driveSample(t, fakehost.Head)
			watch := d.env.watchDisk(d.env.DB.Changed)
			if _, err := watch(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := c.change(d.path); err != nil {
				t.Fatal(err)
			}
			if _, err := watch(t.Context()); err == nil {
				t.Error("the watch finds nothing")
			}
			if got := d.env.readOnly(); got != c.want {
				t.Errorf("the reason is %q, want %q", got, c.want)
			}
		})
	}
}
