package home

import (
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/ui"
	"lcm-tui/views/viewtest"
)

// TestTheFirstScreenShowsWhatAConversationIs: what was said last, how full its context is, and what is wrong.
func TestTheFirstScreenShowsWhatAConversationIs(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	d.Sees("#2 Tidewater", "652 messages, 50 summaries", "5,975t of 128,000 tokens go to the model", "! 1 error", "Last messages, the newest first", "A summary stands for older messages")
	d.Press("down")
	d.Sees("#6 Review of the bookings backfill", "archived", "nothing is wrong with it")
	if got := d.Screen(80, 24); strings.Contains(got, "Last messages") {
		t.Errorf("at 80 columns the list has no room:\n%s", got)
	}
	d.Press("tab")
	if got := d.Screen(80, 24); !strings.Contains(got, "Last messages") {
		t.Errorf("tab shows no preview at 80 columns:\n%s", got)
	}
}

// TestPreviewOfHostileText holds it off, and names the tools of a message without text.
func TestPreviewOfHostileText(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head, "hostile-text")
	for range d.App.Top().(*Conversations).List.Items() {
		d.Clean(120, 36)
		d.Press("down")
	}
}

// TestPendingIsSeenAt80Columns: it is what files of 1.0 are opened for.
func TestPendingIsSeenAt80Columns(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	if got := d.Screen(80, 24); !strings.Contains(got, "◐ preparing") {
		t.Errorf("at 80 columns:\n%s", got)
	}
}

// TestPreviewSaysWhyAConversationIsArchived: once, with the cause that its host noted.
func TestPreviewSaysWhyAConversationIsArchived(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	for cause, want := range map[string]string{"NULL": "· archived · last", "'session-end'": "· archived: the session ended · last"} {
		d.Exec("UPDATE conversations SET active = 0, archived_at = '2026-03-01 00:00:00', archive_cause = " + cause)
		d.Send(ui.ChangedMsg{External: true})
		if got := strings.Join(strings.Fields(strings.ReplaceAll(d.Screen(200, 50), "│", " ")), " "); !strings.Contains(got, want) {
			t.Errorf("it doesn't say %q:\n%s", want, got)
		}
	}
}
