package compact_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
)

// live returns a conversation of n messages, of which the newest has just come, and a handle
// that sees a host at work on it.
func live(t *testing.T, n int) (path string, db *data.DB, conv int64, ids []int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	if conv, err = h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true}); err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	for i := range n {
		id, err := h.Message(conv, fakehost.Message{
			Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d of a conversation that goes on", i), At: now.Add(time.Duration(i-n) * time.Second),
		})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	db = testdb.Open(t, path)
	testdb.BesideHost(db)
	return path, db, conv, ids
}

// finish ends a compaction that a host began when the messages stood at the ordinals
// from 0: it deletes these ordinals, whatever stands there now, and renumbers.
func finish(t *testing.T, path string, conv int64, messages []int64) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	err = h.Tx(func(h *fakehost.Writer) error {
		id, err := h.Leaf(conv, messages, "what the host made of them", fakehost.SummaryOptions{NoContext: true})
		for _, q := range []struct {
			sql  string
			args []any
		}{
			{"DELETE FROM context_items WHERE conversation_id = ? AND ordinal BETWEEN 0 AND ?", []any{conv, len(messages) - 1}},
			{"INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) VALUES (?, 0, 'summary', ?)", []any{conv, id}},
			{"CREATE TEMP TABLE place AS SELECT ordinal, row_number() OVER (ORDER BY ordinal) AS n FROM context_items WHERE conversation_id = ?", []any{conv}},
			{"UPDATE context_items SET ordinal = -(SELECT n FROM place WHERE place.ordinal = context_items.ordinal) WHERE conversation_id = ?", []any{conv}},
			{"UPDATE context_items SET ordinal = -1 - ordinal WHERE conversation_id = ?", []any{conv}},
		} {
			if err == nil {
				err = h.Exec(q.sql, q.args...)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// reachable are the messages of a conversation that its context leads to.
const reachable = `WITH RECURSIVE below(id) AS (SELECT summary_id FROM context_items WHERE conversation_id = ?1 AND summary_id IS NOT NULL
	UNION SELECT p.parent_summary_id FROM below JOIN summary_parents p ON p.summary_id = below.id)
	SELECT count(*) FROM messages m WHERE m.conversation_id = ?1 AND (m.message_id IN (SELECT message_id FROM context_items WHERE conversation_id = ?1)
		OR m.message_id IN (SELECT l.message_id FROM below JOIN summary_messages l ON l.summary_id = below.id))`

// TestAHostEndsACompactionThatItBeganBefore: it deletes by ordinals that it has chosen
// before our write, and no message is lost from the context, whatever the two took.
func TestAHostEndsACompactionThatItBeganBefore(t *testing.T) {
	t.Parallel()
	for _, theirs := range []int{6, 10, 14} {
		for _, ours := range []int{6, 10, 14} {
			t.Run(fmt.Sprintf("host %d, ours %d", theirs, ours), func(t *testing.T) {
				t.Parallel()
				const messages = 20
				path, db, conv, ids := live(t, messages)
				o := op(&brief{})
				o.Conversation = conv
				o.Request.Config.FreshTailCount, o.Request.Config.LeafChunkTokens = messages-ours, 100_000
				p, err := o.Plan(t.Context(), db, noReport)
				if err != nil {
					t.Fatal(err)
				}
				if p.Impact.ItemsAfter != messages-ours+1 {
					t.Fatalf("%d items of %d are left", p.Impact.ItemsAfter, messages)
				}
				if _, err := ops.Apply(t.Context(), db, p); err != nil {
					t.Fatal(err)
				}
				finish(t, path, conv, ids[:theirs])
				if n, err := testdb.Count(path, reachable, conv); err != nil || n != messages {
					t.Errorf("%d of %d messages can be reached, %v", n, messages, err)
				}
			})
		}
	}
}
