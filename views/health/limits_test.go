package health

import (
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/fakehost"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestHealthGoesByTheSettings: the health of a conversation and of the file, and a repair,
// know the same limits as the host.
func TestHealthGoesByTheSettings(t *testing.T) {
	t.Parallel()
	for target, found := range map[string]bool{"": true, "2400": true, "4000": false} {
		for name, show := range map[string]func(d *viewtest.Driver){
			"the file":         func(d *viewtest.Driver) { d.Press("h") },
			"the conversation": func(d *viewtest.Driver) { d.Open(1, views.TabHealth) },
			"a repair":         func(d *viewtest.Driver) { d.Press("down", "R", "enter", "4") },
		} {
			d := viewtest.DriveSample(t, fakehost.Head, "summary-oversized", "context-double")
			d.Env.Settings = func() settings.Settings {
				return settings.Load(func(string) string { return "" }, openclaw.Config{}, map[string]string{"leafTargetTokens": target})
			}
			d.Env.ReadDiskState()
			show(d)
			if name == "a repair" {
				d.Sees("in the context beside the")
			} else {
				d.Sees("C0")
			}
			if found {
				d.Sees("Q04")
			} else {
				d.Misses("Q04")
			}
			if t.Failed() {
				t.Fatalf("%s, leafTargetTokens %q", name, target)
			}
		}
	}
}
