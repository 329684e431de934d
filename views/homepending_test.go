package views

import (
	"strings"
	"testing"

	"lcm-tui/ui"
)

// TestConversationsSayWhatTheHostPrepares: in a column of its own where there is room, in the
// filter and in an order; an archived conversation isn't stuck.
func TestConversationsSayWhatTheHostPrepares(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	d.sees("pending", "◐ preparing")
	d.press("/")
	d.write("preparing")
	d.press("enter")
	if c := d.app.Top().(*Conversations); c.list.Len() != 1 || c.Copy() != "1" {
		t.Errorf("the filter finds %d rows", c.list.Len())
	}
	d.press("esc")
	for d.app.Top().(*Conversations).list.SortName() != "pending" {
		d.press("o")
	}
	if rows := d.app.Top().(*Conversations).list.Rows(); rows[0].ID != 1 {
		t.Errorf("%d is first", rows[0].ID)
	}
	d.exec("UPDATE pending_summary_nodes SET lease_expires_at = NULL WHERE status = 'running'")
	d.send(ui.ChangedMsg{External: true})
	d.sees("! stuck")
	if got := d.screen(80, 24); !strings.Contains(got, "agent:main:main stuck") {
		t.Errorf("at 80 columns:\n%s", got)
	}
	d.exec("UPDATE conversations SET active = 0")
	d.send(ui.ChangedMsg{External: true})
	d.sees("· ignored")
	d.misses("stuck")
}

// TestSettingsNameTheGeneration of the file, and from which one it was upgraded.
func TestSettingsNameTheGeneration(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"v1.0/small.db": "generation 1.0 beta", "v1.0/upgraded-small.db": "generation 1.0 beta, upgraded from 0.x"} {
		d := driveFile(t, fixture(t, file))
		d.send(ui.PushMsg{Screen: NewConfig(d.env)})
		d.sees("file:  lossless-claw 1.0 beta, " + want)
	}
}

// TestPaletteFindsPendingSummaries by the id of a batch and of a node.
func TestPaletteFindsPendingSummaries(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	for query, want := range map[string]string{"pcb_old_st": "pcb_old_stale", "psn_stale-leaf-5": "psn_stale-leaf-5-12", "psn_…leaf-0-9": "psn_old-leaf-0-9"} {
		d.palette(query)
		d.press("enter")
		if v, ok := d.app.Top().(*Pending); !ok || v.Copy() != want {
			t.Errorf("%s leads to %s of %s", query, d.app.Top().(ui.Copier).Copy(), d.app.Top().Title())
		}
		d.send(ui.HomeMsg{})
	}
}
