package home

import (
	"strings"
	"testing"

	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views/conversation"
	"lcm-tui/views/viewtest"
)

// TestConversationsSayWhatTheHostPrepares: in a column of its own where there is room, in the
// filter and in an order; an archived conversation isn't stuck.
func TestConversationsSayWhatTheHostPrepares(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	d.Sees("pending", "◐ preparing")
	d.Press("/")
	d.Write("preparing")
	d.Press("enter")
	if c := d.App.Top().(*Conversations); c.List.Len() != 1 || c.Copy() != "1" {
		t.Errorf("the filter finds %d rows", c.List.Len())
	}
	d.Press("esc")
	for d.App.Top().(*Conversations).List.SortName() != "pending" {
		d.Press("o")
	}
	if rows := d.App.Top().(*Conversations).List.Rows(); rows[0].ID != 1 {
		t.Errorf("%d is first", rows[0].ID)
	}
	d.Exec("UPDATE pending_summary_nodes SET lease_expires_at = NULL WHERE status = 'running'")
	d.Send(ui.ChangedMsg{External: true})
	d.Sees("! stuck")
	if got := d.Screen(80, 24); !strings.Contains(got, "! stuck") {
		t.Errorf("at 80 columns:\n%s", got)
	}
	d.Exec("UPDATE conversations SET active = 0")
	d.Send(ui.ChangedMsg{External: true})
	d.Sees("· ignored")
	d.Misses("stuck")
}

// TestSettingsNameTheGeneration of the file, and from which one it was upgraded.
func TestSettingsNameTheGeneration(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"v1.0/small.db": "generation 1.0 beta", "v1.0/upgraded-small.db": "generation 1.0 beta, upgraded from 0.x"} {
		d := viewtest.DriveFile(t, viewtest.Fixture(t, file))
		d.Send(ui.PushMsg{Screen: NewConfig(d.Env)})
		d.Sees("file:  lossless-claw 1.0 beta, " + want)
	}
}

// TestPaletteFindsPendingSummaries by the id of a batch and of a node.
func TestPaletteFindsPendingSummaries(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	d := viewtest.DrivePending(t)
	for query, want := range map[string]string{"pcb_old_st": "pcb_old_stale", "psn_stale-leaf-5": "psn_stale-leaf-5-12", "psn_…leaf-0-9": "psn_old-leaf-0-9"} {
		d.Palette(query)
		d.Press("enter")
		if v, ok := d.App.Top().(*conversation.Pending); !ok || v.Copy() != want {
			t.Errorf("%s leads to %s of %s", query, d.App.Top().(ui.Copier).Copy(), d.App.Top().Title())
		}
		d.Send(ui.HomeMsg{})
	}
}
