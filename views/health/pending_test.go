package health

import (
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/views"
	"lcm-tui/views/conversation"
	"lcm-tui/views/viewtest"
)

// TestHealthLeadsToPendingSummaries: a finding about a node to its row.
func TestHealthLeadsToPendingSummaries(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	d.Exec("UPDATE pending_summary_nodes SET lease_expires_at = NULL WHERE status = 'running'")
	v := d.Open(1, views.TabHealth).(*Health)
	for _, r := range v.List.Items() {
		if r.fault.ID == integrity.PendingLeaseMissing && r.finding == nil {
			v.List.Select(r.key)
		}
	}
	d.Press("right", "down", "enter")
	if v, ok := d.App.Top().(*conversation.Pending); !ok || !strings.Contains(v.Copy(), "_") {
		t.Errorf("it leads to %s", d.App.Top().Title())
	}
}
