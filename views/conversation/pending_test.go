package conversation

import (
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

// pendingTab opens the tab of a conversation.
func pendingTab(d *viewtest.Driver, conv int64) *Pending {
	return d.Open(conv, views.TabPending).(*Pending)
}

// goTo puts the cursor on the row of a batch or node whose id ends so.
func (v *Pending) goTo(end string) {
	for _, r := range v.List.Items() {
		if strings.HasSuffix(r.ref(), end) {
			v.List.Select(r.key)
		}
	}
}

func TestPendingShowsHowFarTheHostIs(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	v := pendingTab(d, 1)
	d.Sees("7 Pending preparing", "◐ preparing", "3 of 5 nodes ready", "▾ d1 0–", "● ready", "◐ running", "lease until 12:00", "2 of 3 failed, again 12:02",
		"· stale", "✓ published", "▓ prepared", "░ planned", "─ fresh tail 6")
	d.Press("down")
	d.Sees("d1 condensed · ● ready", "covers", "2 summaries", "Both at once.")
	for _, r := range v.List.Items() {
		if r.node != nil && r.node.Status == "running" {
			v.List.Select(r.key)
		}
	}
	d.Press("tab", "tab")
	d.Sees("the lease runs until 2026-03-18 12:00 UTC", "engine:s1, until 2026-03-18 12:00:40", "there is no text yet", "Made of")
}

// TestPendingTextOfANodeIsWhole: the row holds the beginning of a text, the text beside it all.
func TestPendingTextOfANodeIsWhole(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	v := pendingTab(d, 1)
	d.Exec(`UPDATE pending_summary_nodes SET content = ? WHERE node_id LIKE 'psn_above%'`, strings.Repeat("a sentence of five words. ", 8)+"The last words.")
	d.Send(ui.ChangedMsg{External: true})
	v.goTo("condensed-d1-0-" + views.Itoa(v.List.Items()[1].node.Last))
	d.Press("down", "up")
	d.Sees("The last words.")
}

// TestPendingLeadsToItsPlaces: a node of the active batch to its ordinals in the context, a
// published one to its summary, one that was given up to its first message.
func TestPendingLeadsToItsPlaces(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	v := pendingTab(d, 1)
	v.List.Select(v.List.Items()[2].key)
	second := v.List.Items()[3].node
	v.List.Select(second.ID)
	d.Press("enter")
	if c, ok := d.App.Top().(*Context); !ok || c.List.Index() != int(second.First) {
		t.Errorf("a node of the active batch leads to %s", d.App.Top().Title())
	}
	d.Press("7", "m")
	if m, ok := d.App.Top().(*Messages); !ok || m.Copy() != views.Itoa(second.Messages[0].Message) {
		t.Errorf("its messages are at %s", d.App.Top().Title())
	}
	d.Press("7", "*")
	v.List.Select("psn_stale-leaf-0-4")
	d.Press("enter")
	if m, ok := d.App.Top().(*Messages); !ok || m.Copy() != "3" {
		t.Errorf("a node that was given up leads to %s", d.App.Top().Title())
	}
	d.Press("7")
	d.Exec("DELETE FROM pending_summary_node_messages WHERE node_id = 'psn_stale-leaf-5-12'")
	d.Send(ui.ChangedMsg{External: true})
	v.List.Select("psn_stale-leaf-5-12")
	d.Press("?")
	d.Sees("its range of")
}

// TestPendingStaysOnItsRow: the host changes batches while the screen is open.
func TestPendingStaysOnItsRow(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	v := pendingTab(d, 1)
	id := v.List.Items()[3].key
	v.List.Select(id)
	d.Exec(`UPDATE pending_compaction_batches SET status = 'stale', failure_summary = 'pending batch source changed before publish' WHERE status = 'planning'`)
	d.Exec(`INSERT INTO pending_compaction_batches (batch_id, conversation_id, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal, created_at)
		VALUES ('pcb_newest', 1, 'f', 0, 3, '2026-03-18 11:59:00')`)
	v.toggled[v.List.Items()[0].key] = true // It is finished now, and unfolded.
	d.Send(ui.ChangedMsg{External: true})
	if r, _ := v.List.Selected(); r.key != id {
		t.Errorf("the cursor is on %s", r.key)
	}
	d.Sees("~ changed", "no nodes", "what a node w")
}

// TestPendingFilterSearchesFoldedBatches: what is found keeps the cursor when the filter goes.
func TestPendingFilterSearchesFoldedBatches(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	v := pendingTab(d, 1)
	d.Press("/")
	d.Write("given up.")
	d.Press("enter")
	if got := v.Copy(); v.List.Len() != 1 || got != "psn_stale-leaf-0-4" {
		t.Fatalf("it finds %d rows, the first is %s", v.List.Len(), got)
	}
	d.Press("esc")
	if v.Copy() != "psn_stale-leaf-0-4" || v.filtered {
		t.Errorf("the cursor is on %s", v.Copy())
	}
}

// TestPendingFolds: a batch, and all at once.
func TestPendingFolds(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	v := pendingTab(d, 1)
	at := v.List.Items()[2].key
	v.List.Select(at)
	d.Press("left")
	if r, _ := v.List.Selected(); r.node == nil || len(r.node.Children) == 0 {
		t.Errorf("up from the first leaf is %s", v.Copy())
	}
	d.Press("-")
	if n := len(v.List.Items()); n != 3 || v.Copy() != v.batches[0].ID {
		t.Errorf("folded, %d rows are left, and the cursor is on %s", n, v.Copy())
	}
	d.Press("right", "right")
	if r, _ := v.List.Selected(); r.node == nil {
		t.Errorf("unfolding twice leads to %s", v.Copy())
	}
	d.Press("*")
	all := 0
	for _, b := range v.batches {
		all += 1 + len(b.Nodes)
	}
	if len(v.List.Items()) != all {
		t.Errorf("unfolded, %d rows of %d are listed", len(v.List.Items()), all)
	}
}

// TestPendingIsTheLastTab, and only of files whose hosts prepare summaries.
func TestPendingIsTheLastTab(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	d.Open(2, views.TabMessages)
	d.Press("7")
	d.Sees("7 Pending", "the host prepares nothing for this conversation: it does so")
	d.Press("]")
	if s, ok := d.App.Top().(*Messages); !ok {
		t.Errorf("after the last tab comes %T", s)
	}
	d.Press("[")
	if s, ok := d.App.Top().(*Pending); !ok {
		t.Errorf("before the first tab comes %T", s)
	}
	d = viewtest.DriveSample(t, fakehost.Head)
	d.Open(1, views.TabMessages)
	d.Press("7")
	if s, ok := d.App.Top().(*Messages); !ok {
		t.Errorf("7 leads to %T in a file of 0.15", s)
	}
	d.Misses("Pending")
	d.Press("[")
	if s, ok := d.App.Top().(*Focus); !ok {
		t.Errorf("before the first tab comes %T", s)
	}
}

// TestPendingSaysWhatIsWrong in files that the reference engine wrote and that were damaged.
func TestPendingSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for file, want := range map[string][]string{
		"pending-running-without-lease": {"! stuck", "! running", "no lease: never taken up"},
		"pending-source-edited":         {"~ changed: messages or summaries of its range are not what they were", "no"},
		"pending-two-active":            {"· ignored", "a newer batch of the conversation is active"},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			d := viewtest.DriveFile(t, viewtest.Fixture(t, filepath.Join("v1.0", "faults", file+".db")))
			v := pendingTab(d, 1)
			for _, r := range v.List.Items() {
				if r.node == nil && len(r.path) == 0 && (!strings.HasSuffix(file, "active") || r.batch.Superseded) {
					v.List.Select(r.key)
				}
			}
			d.Press("tab", "tab")
			d.Sees(want...)
		})
	}
}

// TestPendingOfHostFiles: each conversation of a file of the reference engine shows its state.
func TestPendingOfHostFiles(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveFile(t, viewtest.Fixture(t, "v1.0/rich.db"))
	for conv, want := range map[int64][]string{
		4: {"the host prepares nothing for this conversation"}, 5: {"· ignored: the conversation is archived"}, 9: {"● prepared", "✓ published"},
		11: {"empty pending summary source"}, 13: {"error (401)", "10 batches are finished"}, 14: {"engine:88888888"},
	} {
		pendingTab(d, conv)
		d.Press("end")
		d.Sees(want...)
		d.Clean(80, 24)
		d.Press("esc")
	}
}

// TestPendingOfAlteredFiles: whatever of the tables is missing or of a wrong type, the screens
// are drawn.
func TestPendingOfAlteredFiles(t *testing.T) {
	t.Parallel()
	scripts := []string{
		"UPDATE pending_summary_nodes SET lease_expires_at = x'00ff', next_attempt_after = 'never', retry_count = 'many', token_count = 9e300",
		"UPDATE pending_compaction_batches SET compactable_start_ordinal = 'first', compactable_end_ordinal = 9223372036854775807, created_at = 7",
		"UPDATE pending_summary_nodes SET content = x'ff00fe', failure_summary = x'01', model = NULL, ready_at = ''",
		"INSERT INTO pending_summary_node_children (node_id, ordinal, child_node_id) SELECT node_id, 90, node_id FROM pending_summary_nodes WHERE kind = 'leaf'",
		"DELETE FROM context_items", "DELETE FROM messages", "DROP TABLE context_items",
	}
	for _, table := range []string{"pending_summary_node_messages", "pending_summary_node_children", "pending_summary_nodes", "pending_compaction_batches"} {
		scripts = append(scripts, "DROP TABLE "+table)
	}
	for _, column := range strings.Fields("status failure_summary compactable_end_ordinal conversation_id batch_id") {
		scripts = append(scripts, "ALTER TABLE pending_compaction_batches RENAME COLUMN "+column+" TO renamed")
	}
	for _, column := range strings.Fields("status content lease_expires_at batch_id node_id ordinal_start kind") {
		scripts = append(scripts, "ALTER TABLE pending_summary_nodes RENAME COLUMN "+column+" TO renamed")
	}
	for _, script := range testlength.Some(scripts) {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			path := viewtest.PendingFile(t)
			h, err := fakehost.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			err = h.Exec("PRAGMA foreign_keys = OFF")
			if err == nil {
				err = h.Exec("PRAGMA ignore_check_constraints = ON")
			}
			if err == nil {
				err = h.Exec(script)
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			if err != nil {
				t.Skip(err)
			}
			d := viewtest.DriveFile(t, path)
			pendingTab(d, 1)
			for range 8 {
				d.Press("down", "tab", "tab")
				d.Clean(120, 36)
			}
			d.Press("*", "!", "R", "esc")
			got := d.Screen(120, 36)
			for _, bad := range []string{"refused the statement", "internal error", "panic"} {
				if strings.Contains(got, bad) {
					t.Errorf("it shows %q:\n%s", bad, got)
				}
			}
		})
	}
}

// TestContextMarksWhatTheHostPrepares: in the rows, in the header and in the text; p leads to it.
func TestContextMarksWhatTheHostPrepares(t *testing.T) {
	t.Parallel()
	d := viewtest.DrivePending(t)
	d.Open(1, views.TabContext)
	d.Sees("0 ▓ user #1 ", "9 ▓ assistant #10 ", "10 ░ user #11 ", "20   user #21 ", "◐ preparing ordinals 0–19: ▓ 10 prepared ░ 10 planned",
		"the host has prepared a summary of it")
	d.Press("p")
	if _, ok := d.App.Top().(*Pending); !ok {
		t.Errorf("p leads to %s", d.App.Top().Title())
	}
	d.Press("3")
	d.Exec("UPDATE pending_compaction_batches SET status = 'stale'")
	d.Send(ui.ChangedMsg{External: true})
	d.Misses("▓", "preparing")
	d = viewtest.DriveSample(t, fakehost.Head)
	d.Open(1, views.TabContext)
	d.Press("?")
	d.Sees("pending summaries – the host of")
}
