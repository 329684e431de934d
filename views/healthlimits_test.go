package views

import (
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/fakehost"
)

// TestHealthGoesByTheSettings: the health of a conversation and of the file, and a repair,
// know the same limits as the host.
func TestHealthGoesByTheSettings(t *testing.T) {
	t.Parallel()
	for target, found := range map[string]bool{"": true, "2400": true, "4000": false} {
		for name, show := range map[string]func(d *driver){
			"the file":         func(d *driver) { d.press("h") },
			"the conversation": func(d *driver) { d.open(1, tabHealth) },
			"a repair":         func(d *driver) { d.press("down", "R", "enter", "4") },
		} {
			d := driveSample(t, fakehost.Head, "summary-oversized", "context-double")
			d.env.Settings = func() settings.Settings {
				return settings.Load(func(string) string { return "" }, openclaw.Config{}, map[string]string{"leafTargetTokens": target})
			}
			d.env.readDiskState()
			show(d)
			if name == "a repair" {
				d.sees("in the context beside the")
			} else {
				d.sees("C0")
			}
			if found {
				d.sees("Q04")
			} else {
				d.misses("Q04")
			}
			if t.Failed() {
				t.Fatalf("%s, leafTargetTokens %q", name, target)
			}
		}
	}
}
