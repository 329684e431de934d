package conversation

import (
	"testing"

	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// TestTheConversationIsCompactedAndRepairedFromEveryTab, also from those that show nothing to compact or to repair.
func TestTheConversationIsCompactedAndRepairedFromEveryTab(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
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

// TestAKeyBeforeTheRowsAreRead isn't said to do nothing because there are none.
func TestAKeyBeforeTheRowsAreRead(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	list := d.Open(2, views.TabSummaries).(*Summaries)
	list.List.SetItems(nil)
	begun := list.Load()
	d.App.Update(ui.Press("d"))
	d.Sees("d does nothing here: the list is being read")
	d.Run(begun)
	d.Press("d")
	d.Sees("nothing is written yet")
}
