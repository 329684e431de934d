package clean

import (
	"testing"

	"lcm-tui/ops/space"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestEveryCleaningHasWordsAndAKey: what no review shows has a question or a place of its own, in words and not as a
// command line.
func TestEveryCleaningHasWordsAndAKey(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Env.WhileClosed = func(views.ClosedWork) {}
	v := NewSpace(d.Env)
	for verb, want := range map[string]string{space.Reclaim: "give unused space back", space.ReclaimWAL: "empty the -wal", space.TrashEmpty: "empty the trash"} {
		l := &space.Lever{Verb: verb, Bytes: 1}
		if l.Name() != want {
			t.Errorf("%s is called %q", verb, l.Name())
		}
		a := v.enterAction(&spaceRow{lever: l}, "")
		if !a.Key.Enabled() {
			t.Errorf("%s has no key: %s", verb, a.Why)
			continue
		}
		switch m := a.Run()().(type) {
		case ui.AskMsg:
			if verb == space.TrashEmpty || (m.Title == "Empty the -wal?") != (verb == space.ReclaimWAL) {
				t.Errorf("%s asks %q", verb, m.Title)
			}
		case ui.PushMsg:
			if verb != space.TrashEmpty || m.Screen.Title() != "Trash" {
				t.Errorf("%s opens %q", verb, m.Screen.Title())
			}
		}
	}
}
