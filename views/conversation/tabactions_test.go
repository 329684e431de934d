package conversation

import (
	"testing"

	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestTheConversationIsCompactedAndRepairedFromEveryTab, also from those that show nothing to compact or to repair.
func TestTheConversationIsCompactedAndRepairedFromEveryTab(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveWithModel(t, viewtest.Brief{})
	for tab := range views.TabPending {
		for key, title := range map[string]string{"C": "› Compact", "R": "› Repair"} {
			d.Open(2, tab)
			d.Press(key)
			d.Sees("Tidewater › " + views.TabNames[tab] + " " + title)
			d.Press("esc")
		}
	}
}
