package views

import (
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
)

// TestHealthLeadsToPendingSummaries: a finding about a node to its row.
func TestHealthLeadsToPendingSummaries(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	d.exec("UPDATE pending_summary_nodes SET lease_expires_at = NULL WHERE status = 'running'")
	v := d.open(1, tabHealth).(*Health)
	for _, r := range v.list.Items() {
		if r.fault.ID == integrity.PendingLeaseMissing && r.finding == nil {
			v.list.Select(r.key)
		}
	}
	d.press("right", "down", "enter")
	if v, ok := d.app.Top().(*Pending); !ok || !strings.Contains(v.Copy(), "_") {
		t.Errorf("it leads to %s", d.app.Top().Title())
	}
}
