package repair_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// prepared returns a file of a host of 1.0 with two conversations, in each a batch of leaves that is
// ready to be published.
func prepared(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Beta)
	must(t, err)
	for _, key := range []string{"agent:main:main", "agent:main:other"} {
		_, err := w.Conversation(fakehost.Conversation{SessionKey: key, Active: true})
		must(t, err)
	}
	must(t, w.Close())
	h, err := fakehost.Start(path, fakehost.Config{FreshTailCount: 4, LeafChunkTokens: 70})
	must(t, err)
	defer h.Close()
	for conv := int64(1); conv <= 2; conv++ {
		for i := range 20 {
			text := fmt.Sprintf("message %d of %d %s", i, conv, strings.Repeat("of many words ", 4))
			_, err := h.Append(conv, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: text, At: time.Now().UTC().Add(time.Duration(i-30) * time.Second)})
			must(t, err)
		}
		_, nodes, ok, err := h.Plan(conv)
		if err != nil || !ok || len(nodes) < 3 {
			t.Fatalf("%d nodes, planned %t: %v", len(nodes), ok, err)
		}
		for i, n := range nodes {
			n, _, err := h.Claim(n)
			must(t, err)
			must(t, h.Finish(n, fmt.Sprintf("- What was said in part %d of %d.", i, conv)))
		}
	}
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The first and the last leaf of the first conversation's batch.
const (
	firstNode = "(SELECT node_id FROM pending_summary_nodes WHERE conversation_id = 1 AND kind = 'leaf' ORDER BY ordinal_start LIMIT 1)"
	lastNode  = "(SELECT node_id FROM pending_summary_nodes WHERE conversation_id = 1 ORDER BY ordinal_start DESC LIMIT 1)"
)

// pendingDamage is what is done to the batch of the first conversation, and what a repair makes
// of it.
type pendingDamage struct {
	fault   integrity.FaultID
	script  string
	status  string // Of the batches of the conversation afterwards, oldest first; empty is none.
	note    string // What the plan says of the batch.
	request bool   // It is repaired only when it is named.
}

var pendingDamages = map[string]pendingDamage{
	"an archived conversation": {
		integrity.PendingOfArchived, "UPDATE conversations SET active = 0, archived_at = updated_at WHERE conversation_id = 1", "", "is deleted with", true,
	},
	"no lease": {
		integrity.PendingLeaseMissing, "UPDATE pending_summary_nodes SET status = 'running', content = NULL, token_count = NULL, lease_owner = 'engine:gone' WHERE node_id = " + firstNode,
		"stale", "becomes stale with", false,
	},
	"retries used up": {
		integrity.PendingRetriesUsedUp, "UPDATE pending_summary_nodes SET status = 'failed', content = NULL, token_count = NULL, retry_count = 3 WHERE node_id = " + lastNode,
		"stale", "texts that a model wrote", false,
	},
	"an edited message": {
		integrity.PendingSourceChanged, "UPDATE messages SET content = content || '.' WHERE message_id = 2", "stale", "becomes stale with", true,
	},
	"two batches": {
		integrity.PendingBatchDuplicate, `INSERT INTO pending_compaction_batches (batch_id, conversation_id, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal, created_at)
			SELECT 'pcb_older', 1, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal, datetime(created_at, '-1 hour') FROM pending_compaction_batches WHERE conversation_id = 1`,
		"stale planning", "pcb_older of conversation 1 becomes stale with 0 nodes", false,
	},
	"a blank text": {
		integrity.PendingTextMissing, "UPDATE pending_summary_nodes SET content = ' ' WHERE node_id = " + firstNode, "stale", "becomes stale with", false,
	},
	"published without a time": {
		integrity.PendingStatusContradictory, "UPDATE pending_compaction_batches SET status = 'published' WHERE conversation_id = 1", "stale", "becomes stale with", false,
	},
	"a published node": {
		integrity.PendingStatusContradictory, "UPDATE pending_summary_nodes SET status = 'promoted', content = NULL WHERE node_id = " + firstNode, "stale", "becomes stale with", false,
	},
	"a published node of a stale batch": {
		integrity.PendingStatusContradictory, "UPDATE pending_compaction_batches SET status = 'stale' WHERE conversation_id = 1; UPDATE pending_summary_nodes SET status = 'promoted', content = NULL WHERE node_id = " + firstNode,
		"", "is deleted with", false,
	},
	"a message of another conversation": {
		integrity.PendingAcrossConversations, "INSERT INTO pending_summary_node_messages (node_id, message_id, ordinal) VALUES (" + firstNode + ", 30, 99)", "", "is deleted with", false,
	},
	"a leaf without messages": {
		integrity.PendingSourceMissing, "DELETE FROM pending_summary_node_messages WHERE node_id = " + firstNode, "stale", "becomes stale with", false,
	},
	"a parent of nothing else": {
		integrity.PendingSourceMissing, `INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, depth, ordinal_start, ordinal_end, source_fingerprint)
			SELECT 'psn_parent', batch_id, 1, 'condensed', 1, ordinal_start, ordinal_end, 'none' FROM pending_summary_nodes WHERE node_id = ` + firstNode + `;
			INSERT INTO pending_summary_node_children (node_id, ordinal, child_node_id) VALUES ('psn_parent', 0, ` + firstNode + `);
			DELETE FROM pending_summary_node_messages WHERE node_id = (SELECT child_node_id FROM pending_summary_node_children)`,
		"stale", "becomes stale with", false,
	},
	"finished for a month": {
		integrity.PendingBatchExpired, "UPDATE pending_compaction_batches SET status = 'stale', updated_at = datetime('now', '-30 days') WHERE conversation_id = 1; UPDATE pending_summary_nodes SET status = 'stale' WHERE conversation_id = 1",
		"", "is deleted with", true,
	},
	"a fallback": {
		integrity.PendingFallback, "UPDATE pending_summary_nodes SET content = content || char(10) || '[Truncated from 900 tokens]' WHERE node_id = " + firstNode, "stale", "becomes stale with", false,
	},
	"a range that isn't covered": {
		integrity.PendingRangeUncovered, "DELETE FROM pending_summary_nodes WHERE node_id = " + lastNode, "stale", "becomes stale with", false,
	},
}

// batchStatuses returns the statuses of the first conversation's batches, oldest first.
func batchStatuses(t *testing.T, path string) string {
	t.Helper()
	return strings.Join(testdb.Rows(t, path, "SELECT status FROM pending_compaction_batches WHERE conversation_id = 1 ORDER BY created_at, batch_id DESC"), " ")
}

// pendingFindings returns the faults of pending batches that a check finds.
func pendingFindings(t *testing.T, db *data.DB) (found []string) {
	t.Helper()
	d, err := integrity.Check(t.Context(), db, integrity.Request{}, nil)
	must(t, err)
	for _, f := range d.Findings {
		if f.Fault.Area() == integrity.PendingArea {
			found = append(found, repair.ID(f))
		}
	}
	return found
}

// TestPendingBatchesAreRepaired: the plan says what becomes of the batch, nothing else changes,
// a check finds nothing afterwards, and undo makes no batch active. Another conversation's batch
// stays ready to be published.
func TestPendingBatchesAreRepaired(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	base := prepared(t)
	if found := pendingFindings(t, testdb.Open(t, base)); len(found) > 0 {
		t.Fatalf("found in a sound file: %q", found)
	}
	for name, c := range pendingDamages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Copy(t, base)
			must(t, faults.Alter(path, c.script))
			db := testdb.Open(t, path)
			found := pendingFindings(t, db)
			if !strings.Contains(strings.Join(found, " "), "/"+string(c.fault)+":") {
				t.Fatalf("found %q, not %s", found, c.fault)
			}
			o := &repair.Op{Conversation: 1}
			if c.request {
				if p, err := o.Plan(t.Context(), db, noReport); err == nil && strings.Contains(strings.Join(p.Notes, "\n"), "pending batch") {
					t.Errorf("%s is repaired without being named: %q", c.fault, p.Notes)
				}
			}
			o.Faults = []integrity.FaultID{c.fault}
			p, err := o.Plan(t.Context(), db, noReport)
			must(t, err)
			if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, c.note) || !strings.Contains(notes, "undo doesn't make a pending batch active again") {
				t.Errorf("the plan says %q, and not %q", notes, c.note)
			}
			for _, edit := range p.Changes {
				if !strings.HasPrefix(edit.Table, "pending_") {
					t.Errorf("the plan changes %s", edit.Label())
				}
			}
			record, err := ops.Apply(t.Context(), db, p)
			must(t, err)
			after := batchStatuses(t, path)
			if after != c.status {
				t.Errorf("the batches are %q, want %q", after, c.status)
			}
			for _, left := range pendingFindings(t, db) {
				if strings.Contains(left, "/"+string(c.fault)+":") {
					t.Errorf("it is still found: %s", left)
				}
			}
			if q, err := o.Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
				t.Errorf("a second time: %s, %v", q.Title, err)
			}
			other := "SELECT count(*) FROM pending_compaction_batches WHERE conversation_id = 2 AND status = 'planning'"
			if n, err := testdb.Count(path, other); err != nil || n != 1 {
				t.Errorf("the batch of the other conversation: %d, %v", n, err)
			}
			var only *change.OnlyStaleError
			if err := change.Undo(t.Context(), db, record); err != nil && !errors.As(err, &only) {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(c.status, "planning", "active")
			got := strings.ReplaceAll(batchStatuses(t, path), "planning", "active")
			if want == "" {
				want = "stale" // What was deleted comes back.
			}
			if got != want {
				t.Errorf("after undo the batches are %q, want %q", got, want)
			}
		})
	}
}

// TestABatchOfTwoConversationsIsDeletedOnce: the plans of both delete it, also where one of them
// has another reason to make it stale, and all is one plan.
func TestABatchOfTwoConversationsIsDeletedOnce(t *testing.T) {
	t.Parallel()
	path := prepared(t)
	must(t, faults.Alter(path, "UPDATE pending_summary_nodes SET conversation_id = 2 WHERE node_id = "+firstNode+
		"; UPDATE pending_summary_nodes SET content = NULL WHERE node_id = "+lastNode))
	db := testdb.Open(t, path)
	o := &repair.Op{All: true}
	p, err := o.Plan(t.Context(), db, noReport)
	must(t, err)
	_, err = ops.Apply(t.Context(), db, p)
	must(t, err)
	if left := pendingFindings(t, db); len(left) > 0 || batchStatuses(t, path) != "" {
		t.Errorf("found %q, batches %q", left, batchStatuses(t, path))
	}
}
