package views

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ui"
)

// drivePending opens a file whose host prepares summaries of conversation 1: two leaves and a
// node above them are ready, one leaf is being summarized, one failed twice. A batch before it
// was published, and another one was given up. Conversation 2 has none.
func drivePending(t *testing.T) *driver {
	t.Helper()
	return driveFile(t, pendingFile(t))
}

// pendingFile is a file of its own for drivePending.
func pendingFile(t *testing.T) (path string) {
	t.Helper()
	content, err := pendingSample()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "lcm.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pendingSample is made once for all tests.
var pendingSample = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "lcm-pending-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "lcm.db")
	if err := samplePending(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func samplePending(path string) error {
	w, err := fakehost.Create(path, fakehost.Beta)
	if err != nil {
		return err
	}
	for _, key := range []string{"agent:main:main", "agent:main:other"} {
		if _, err := w.Conversation(fakehost.Conversation{SessionKey: key, Active: true}); err != nil {
			return err
		}
	}
	for i := range 28 {
		m := fakehost.Message{
			Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d %s", i, strings.Repeat("of many words ", 4)),
			At: demoNow.Add(time.Duration(i-600) * time.Minute),
		}
		if _, err := w.Message(1, m); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	h, err := fakehost.Start(path, fakehost.Config{FreshTailCount: 6, LeafChunkTokens: 80})
	if err != nil {
		return err
	}
	defer h.Close()
	batch, nodes, _, err := h.Plan(1)
	if err != nil {
		return err
	}
	for i, n := range nodes[:2] {
		if n, _, err = h.Claim(n); err != nil {
			return err
		}
		if err := h.Finish(n, fmt.Sprintf("# Text %d\n\nThe gateway got a retry budget, and **the ledger** moved.", i)); err != nil {
			return err
		}
	}
	return h.Tx(func(*fakehost.Writer) error {
		for _, s := range pendingScript(batch, nodes) {
			if err := h.Exec(s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	})
}

// pendingScript is what happened to a batch after its first two nodes became ready, and to the
// batches before it.
func pendingScript(batch string, nodes []fakehost.Node) []string {
	const planned = "source_fingerprint, source_context_hash, prompt_version, model, created_at"
	return []string{
		fmt.Sprintf(`INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, depth, status, ordinal_start, ordinal_end, content, token_count, %s)
			SELECT 'psn_above-condensed-d1-0-%d', batch_id, conversation_id, 'condensed', 1, 'ready', 0, %d, 'Both at once.', 4, 'f', NULL, prompt_version, model, created_at
			FROM pending_summary_nodes WHERE node_id = '%s'`, planned, nodes[1].End, nodes[1].End, nodes[0].ID),
		fmt.Sprintf(`INSERT INTO pending_summary_node_children (node_id, ordinal, child_node_id) VALUES ('psn_above-condensed-d1-0-%d', 0, '%s'), ('psn_above-condensed-d1-0-%d', 1, '%s')`,
			nodes[1].End, nodes[0].ID, nodes[1].End, nodes[1].ID),
		fmt.Sprintf(`UPDATE pending_summary_nodes SET status = 'running', lease_owner = 'engine:s1', lease_expires_at = '2026-03-18T12:00:40.000Z' WHERE node_id = '%s'`, nodes[2].ID),
		fmt.Sprintf(`UPDATE pending_summary_nodes SET status = 'failed', retry_count = 2, failure_summary = 'empty pending summary source',
			next_attempt_after = '2026-03-18T12:02:00.000Z' WHERE node_id = '%s'`, nodes[3].ID),
		`INSERT INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint, compactable_start_ordinal,
			compactable_end_ordinal, prompt_version, model, failure_summary, created_at, updated_at, published_at)
			VALUES ('pcb_old_published', 1, 'published', 'f', 0, 9, 'pending-summary-dag:v1', 'fake', NULL, '2026-03-16 08:00:00', '2026-03-16 09:00:00', '2026-03-16T09:00:00.000Z'),
			('pcb_old_stale', 1, 'stale', 'f', 0, 12, 'pending-summary-dag:v1', 'fake', 'source projection fingerprint changed before publish', '2026-03-17 08:00:00', '2026-03-17 09:00:00', NULL)`,
		`INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, depth, status, ordinal_start, ordinal_end, content, token_count, ` + planned + `)
			VALUES ('psn_old-leaf-0-9', 'pcb_old_published', 1, 'leaf', 0, 'promoted', 0, 9, NULL, 20, 'f', 'f', 'pending-summary-dag:v1', 'fake', '2026-03-16 08:00:00'),
			('psn_stale-leaf-0-4', 'pcb_old_stale', 1, 'leaf', 0, 'stale', 0, 4, 'A text that was given up.', 9, 'f', 'f', 'pending-summary-dag:v1', 'fake', '2026-03-17 08:00:00'),
			('psn_stale-leaf-5-12', 'pcb_old_stale', 1, 'leaf', 0, 'stale', 5, 12, NULL, NULL, 'f', 'f', 'pending-summary-dag:v1', 'fake', '2026-03-17 08:00:00')`,
		`INSERT INTO pending_summary_node_messages (node_id, message_id, ordinal) VALUES ('psn_stale-leaf-0-4', 3, 0), ('psn_stale-leaf-5-12', 6, 5), ('psn_old-leaf-0-9', 1, 0)`,
		fmt.Sprintf(`UPDATE pending_compaction_batches SET created_at = '2026-03-18 11:40:00', updated_at = '2026-03-18 11:58:00' WHERE batch_id = '%s'`, batch),
		fmt.Sprintf(`UPDATE pending_summary_nodes SET created_at = '2026-03-18 11:40:00', updated_at = '2026-03-18 11:58:00',
			ready_at = CASE WHEN ready_at IS NOT NULL THEN '2026-03-18T11:50:00.000Z' END WHERE batch_id = '%s'`, batch),
	}
}

// pendingTab opens the tab of a conversation.
func (d *driver) pendingTab(conv int64) *Pending { return d.open(conv, tabPending).(*Pending) }

// goTo puts the cursor on the row of a batch or node whose id ends so.
func (v *Pending) goTo(end string) {
	for _, r := range v.list.Items() {
		if strings.HasSuffix(r.ref(), end) {
			v.list.Select(r.key)
		}
	}
}

func TestPendingShowsHowFarTheHostIs(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	v := d.pendingTab(1)
	d.sees("7 Pending preparing", "◐ preparing", "3 of 5 nodes ready", "▾ d1 0–", "● ready", "◐ running", "lease until 12:00", "2 of 3 failed, again 12:02",
		"· stale", "✓ published", "▓ prepared", "░ planned", "─ fresh tail 6")
	d.press("down")
	d.sees("d1 condensed · ● ready", "covers", "2 summaries", "Both at once.")
	for _, r := range v.list.Items() {
		if r.node != nil && r.node.Status == "running" {
			v.list.Select(r.key)
		}
	}
	d.press("tab", "tab")
	d.sees("the lease runs until 2026-03-18 12:00 UTC", "engine:s1, until 2026-03-18 12:00:40", "there is no text yet", "Made of")
}

// TestPendingTextOfANodeIsWhole: the row holds the beginning of a text, the text beside it all.
func TestPendingTextOfANodeIsWhole(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	v := d.pendingTab(1)
	d.exec(`UPDATE pending_summary_nodes SET content = ? WHERE node_id LIKE 'psn_above%'`, strings.Repeat("a sentence of five words. ", 8)+"The last words.")
	d.send(ui.ChangedMsg{External: true})
	v.goTo("condensed-d1-0-" + itoa(v.list.Items()[1].node.Last))
	d.press("down", "up")
	d.sees("The last words.")
}

// exec runs a statement as another program.
func (d *driver) exec(query string, args ...any) {
	d.t.Helper()
	h, err := fakehost.Open(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec(query, args...); err != nil {
		d.t.Fatal(err)
	}
}

// TestPendingLeadsToItsPlaces: a node of the active batch to its ordinals in the context, a
// published one to its summary, one that was given up to its first message.
func TestPendingLeadsToItsPlaces(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	v := d.pendingTab(1)
	v.list.Select(v.list.Items()[2].key)
	second := v.list.Items()[3].node
	v.list.Select(second.ID)
	d.press("enter")
	if c, ok := d.app.Top().(*Context); !ok || c.list.Index() != int(second.First) {
		t.Errorf("a node of the active batch leads to %s", d.app.Top().Title())
	}
	d.press("7", "m")
	if m, ok := d.app.Top().(*Messages); !ok || m.Copy() != itoa(second.Messages[0].Message) {
		t.Errorf("its messages are at %s", d.app.Top().Title())
	}
	d.press("7", "*")
	v.list.Select("psn_stale-leaf-0-4")
	d.press("enter")
	if m, ok := d.app.Top().(*Messages); !ok || m.Copy() != "3" {
		t.Errorf("a node that was given up leads to %s", d.app.Top().Title())
	}
	d.press("7")
	d.exec("DELETE FROM pending_summary_node_messages WHERE node_id = 'psn_stale-leaf-5-12'")
	d.send(ui.ChangedMsg{External: true})
	v.list.Select("psn_stale-leaf-5-12")
	d.press("?")
	d.sees("its range of")
}

// TestPendingStaysOnItsRow: the host changes batches while the screen is open.
func TestPendingStaysOnItsRow(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	v := d.pendingTab(1)
	id := v.list.Items()[3].key
	v.list.Select(id)
	d.exec(`UPDATE pending_compaction_batches SET status = 'stale', failure_summary = 'pending batch source changed before publish' WHERE status = 'planning'`)
	d.exec(`INSERT INTO pending_compaction_batches (batch_id, conversation_id, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal, created_at)
		VALUES ('pcb_newest', 1, 'f', 0, 3, '2026-03-18 11:59:00')`)
	v.toggled[v.list.Items()[0].key] = true // It is finished now, and unfolded.
	d.send(ui.ChangedMsg{External: true})
	if r, _ := v.list.Selected(); r.key != id {
		t.Errorf("the cursor is on %s", r.key)
	}
	d.sees("~ changed", "no nodes", "what a node w")
}

// TestPendingFilterSearchesFoldedBatches: what is found keeps the cursor when the filter goes.
func TestPendingFilterSearchesFoldedBatches(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	v := d.pendingTab(1)
	d.press("/")
	d.write("given up.")
	d.press("enter")
	if got := v.Copy(); v.list.Len() != 1 || got != "psn_stale-leaf-0-4" {
		t.Fatalf("it finds %d rows, the first is %s", v.list.Len(), got)
	}
	d.press("esc")
	if v.Copy() != "psn_stale-leaf-0-4" || v.filtered {
		t.Errorf("the cursor is on %s", v.Copy())
	}
}

// TestPendingFolds: a batch, and all at once.
func TestPendingFolds(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	v := d.pendingTab(1)
	at := v.list.Items()[2].key
	v.list.Select(at)
	d.press("left")
	if r, _ := v.list.Selected(); r.node == nil || len(r.node.Children) == 0 {
		t.Errorf("up from the first leaf is %s", v.Copy())
	}
	d.press("-")
	if n := len(v.list.Items()); n != 3 || v.Copy() != v.batches[0].ID {
		t.Errorf("folded, %d rows are left, and the cursor is on %s", n, v.Copy())
	}
	d.press("right", "right")
	if r, _ := v.list.Selected(); r.node == nil {
		t.Errorf("unfolding twice leads to %s", v.Copy())
	}
	d.press("*")
	all := 0
	for _, b := range v.batches {
		all += 1 + len(b.Nodes)
	}
	if len(v.list.Items()) != all {
		t.Errorf("unfolded, %d rows of %d are listed", len(v.list.Items()), all)
	}
}

// TestPendingIsTheLastTab, and only of files whose hosts prepare summaries.
func TestPendingIsTheLastTab(t *testing.T) {
	t.Parallel()
	d := drivePending(t)
	d.open(2, tabMessages)
	d.press("7")
	d.sees("7 Pending", "the host prepares nothing for this conversation: it does so")
	d.press("]")
	if s, ok := d.app.Top().(*Messages); !ok {
		t.Errorf("after the last tab comes %T", s)
	}
	d.press("[")
	if s, ok := d.app.Top().(*Pending); !ok {
		t.Errorf("before the first tab comes %T", s)
	}
	d = driveSample(t, fakehost.Head)
	d.open(1, tabMessages)
	d.press("7")
	if s, ok := d.app.Top().(*Messages); !ok {
		t.Errorf("7 leads to %T in a file of 0.15", s)
	}
	d.misses("Pending")
	d.press("[")
	if s, ok := d.app.Top().(*Focus); !ok {
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
			d := driveFile(t, fixture(t, filepath.Join("v1.0", "faults", file+".db")))
			v := d.pendingTab(1)
			for _, r := range v.list.Items() {
				if r.node == nil && len(r.path) == 0 && (!strings.HasSuffix(file, "active") || r.batch.Superseded) {
					v.list.Select(r.key)
				}
			}
			d.press("tab", "tab")
			d.sees(want...)
		})
	}
}

// TestPendingOfHostFiles: each conversation of a file of the reference engine shows its state.
func TestPendingOfHostFiles(t *testing.T) {
	t.Parallel()
	d := driveFile(t, fixture(t, "v1.0/rich.db"))
	for conv, want := range map[int64][]string{
		4: {"the host prepares nothing for this conversation"}, 5: {"· ignored: the conversation is archived"}, 9: {"● prepared", "✓ published"},
		11: {"empty pending summary source"}, 13: {"error (401)", "10 batches are finished"}, 14: {"engine:88888888"},
	} {
		d.pendingTab(conv)
		d.press("end")
		d.sees(want...)
		d.clean(80, 24)
		d.press("esc")
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
	for _, script := range testdb.Some(scripts) {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			path := pendingFile(t)
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
			d := driveFile(t, path)
			d.pendingTab(1)
			for range 8 {
				d.press("down", "tab", "tab")
				d.clean(120, 36)
			}
			d.press("*", "!", "R", "esc")
			got := d.screen(120, 36)
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
	d := drivePending(t)
	d.open(1, tabContext)
	d.sees("0 ▓ user #1 ", "9 ▓ assistant #10 ", "10 ░ user #11 ", "20   user #21 ", "◐ preparing ordinals 0–19: ▓ 10 prepared ░ 10 planned",
		"the host has prepared a summary of it")
	d.press("p")
	if _, ok := d.app.Top().(*Pending); !ok {
		t.Errorf("p leads to %s", d.app.Top().Title())
	}
	d.press("3")
	d.exec("UPDATE pending_compaction_batches SET status = 'stale'")
	d.send(ui.ChangedMsg{External: true})
	d.misses("▓", "preparing")
	d = driveSample(t, fakehost.Head)
	d.open(1, tabContext)
	d.press("?")
	d.sees("pending summaries – the host of")
}

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

// TestSettingsNameTheGeneration of the file, and from which one it was upgraded.
func TestSettingsNameTheGeneration(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"v1.0/small.db": "generation 1.0 beta", "v1.0/upgraded-small.db": "generation 1.0 beta, upgraded from 0.x"} {
		d := driveFile(t, fixture(t, file))
		d.send(ui.PushMsg{Screen: NewConfig(d.env)})
		d.sees("file:  lossless-claw 1.0 beta, " + want)
	}
}
