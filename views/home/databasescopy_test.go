package home

import (
	"testing"

	"lcm-tui/ui"
	"lcm-tui/views/viewtest"
)

// TestCopiesSayHowOldTheyAre: copies of other machines stand among the databases with their age, growth and health, which is noted
// for the next look; a key shows the machines.
func TestCopiesSayHowOldTheyAre(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Fixture(t, "v0.15.3/small.db"))
	machines, _ := d.UseMachines()
	d.Send(ui.PushMsg{Screen: NewDatabases(d.Env)})
	d.Sees("copies of 4 machines", "copy of laptop, 4m ago", "+8.2 kB", "copy of office, 2d ago", "larger than the copy before, within 3 hours", "f fleet")
	d.CursorOn("copy of nas")
	d.Sees("! 3 errors", "checked: 3 errors")
	d.CursorOn("copy of office")
	d.Sees("the last try to fetch it failed", "can't be reached")
	d.Clean(80, 24)
	all, err := machines.All()
	if err != nil || all[1].Health == nil || all[1].Health.Counts.Fatal+all[1].Health.Counts.Error != 3 {
		t.Errorf("nothing is noted: %+v, %v", all[1].Health, err)
	}
	d.Press("f")
	d.Sees("› Fleet", "4 machines")
	d.Press("esc")
	d.Sees("copy of laptop")
}
