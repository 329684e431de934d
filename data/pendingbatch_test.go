package data_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// preparing is a host of the 1.0 generation that has prepared summaries of conversation 1,
// which are ready to be published, and another conversation.
func preparing(t *testing.T) (h *fakehost.Host, db *data.DB, batch string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Beta)
	must(t, err)
	for _, key := range []string{"agent:main:main", "agent:main:other"} {
		_, err := w.Conversation(fakehost.Conversation{SessionKey: key, Active: true})
		must(t, err)
	}
	must(t, w.Close())
	h, err = fakehost.Start(path, fakehost.Config{FreshTailCount: 4, LeafChunkTokens: 40})
	must(t, err)
	t.Cleanup(func() { _ = h.Close() })
	for i := range 20 {
		m := fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d %s", i, strings.Repeat("of many words ", 4)), At: time.Now().UTC()}
		for conv := range int64(2) {
			_, err := h.Append(conv+1, m)
			must(t, err)
		}
	}
	batch, nodes, ok, err := h.Plan(1)
	if err != nil || !ok || len(nodes) < 2 {
		t.Fatalf("%d nodes, planned %t: %v", len(nodes), ok, err)
	}
	for i, n := range nodes {
		n, ok, err := h.Claim(n)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		must(t, h.Finish(n, fmt.Sprintf("summary %d", i)))
	}
	db = testdb.Open(t, path)
	testdb.WithoutHost(db)
	return h, db, batch
}

// statusOf is what a batch says of itself.
func statusOf(t *testing.T, path, batch string) string {
	t.Helper()
	rows := testdb.Rows(t, path, "SELECT status || ': ' || coalesce(failure_summary, '') FROM pending_compaction_batches WHERE batch_id = '"+batch+"'")
	return strings.Join(rows, "; ")
}

// TestPendingSummariesAreGivenUp where a change is about what they are made from: else the
// host would publish them by ordinals and texts that are others now.
func TestPendingSummariesAreGivenUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		batch func(t *testing.T, db *data.DB) data.Batch
		stale bool
	}{
		"a title": {func(t *testing.T, db *data.DB) data.Batch { return retitle(t, db, "another") }, false},
		"a message's text": {func(t *testing.T, db *data.DB) data.Batch {
			return updating(t, db, "messages", "message_id", 1, data.Row{"content": "another text"})
		}, true},
		"what a host takes no fingerprint of": {func(t *testing.T, db *data.DB) data.Batch {
			return updating(t, db, "messages", "message_id", 1, data.Row{"identity_hash": "another"})
		}, false},
		"a message of the fresh tail": {func(t *testing.T, db *data.DB) data.Batch {
			return updating(t, db, "messages", "message_id", 39, data.Row{"content": "another text"})
		}, false},
		"a place of its context":     {func(t *testing.T, db *data.DB) data.Batch { return dropping(t, db, 1, 0) }, true},
		"a place of another context": {func(t *testing.T, db *data.DB) data.Batch { return dropping(t, db, 2, 0) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, db, batch := preparing(t)
			out, err := db.WriteBatch(t.Context(), c.batch(t, db))
			must(t, err)
			status := statusOf(t, db.Path(), batch)
			if stale := strings.HasPrefix(status, "stale: the context was changed by lcm-tui"); stale != c.stale || (out.Pending == 1) != c.stale {
				t.Errorf("%d batches were given up, and it is %q; want given up: %v", out.Pending, status, c.stale)
			}
			if n, err := testdb.Count(db.Path(), "SELECT count(*) FROM pending_summary_nodes WHERE lease_owner IS NOT NULL AND status = 'stale'"); err != nil || n > 0 {
				t.Errorf("%d stale nodes have a lease, %v", n, err)
			}
			must(t, db.Undo(t.Context(), out.Record))
			if again := statusOf(t, db.Path(), batch); again != status {
				t.Errorf("undo made %q of %q", again, status)
			}
			if why, err := h.Check(batch); !c.stale && (err != nil || why != "") {
				t.Errorf("the host can't publish it any more: %s, %v", why, err)
			}
		})
	}
}

// updating is a change of a row of a number.
func updating(t *testing.T, db *data.DB, table, key string, id int64, columns data.Row) data.Batch {
	t.Helper()
	rows, err := db.Images(t.Context(), table, data.Row{key: id})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	return data.Batch{Op: "test", Title: "update", Changes: []data.Change{db.Update(table, rows[0], columns)}}
}

// dropping takes an item out of a context.
func dropping(t *testing.T, db *data.DB, conv, ordinal int64) data.Batch {
	t.Helper()
	rows, err := db.Images(t.Context(), "context_items", data.Row{"conversation_id": conv, "ordinal": ordinal})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	return data.Batch{Op: "test", Title: "drop", Forgets: true, Changes: []data.Change{db.Delete("context_items", rows[0])}}
}

// TestPendingSummariesGoWithTheirMessage: the schema wouldn't let the message go. A plan that
// has such rows leaves them to the writer.
func TestPendingSummariesGoWithTheirMessage(t *testing.T) {
	t.Parallel()
	_, db, batch := preparing(t)
	first, err := testdb.Count(db.Path(), "SELECT min(message_id) FROM pending_summary_node_messages")
	must(t, err)
	b := deleting(t, db, int64(first))
	rows, err := db.Images(t.Context(), "pending_summary_node_messages", data.Row{"message_id": int64(first)})
	if err != nil || len(rows) == 0 {
		t.Fatal(rows, err)
	}
	b.Changes = append(b.Changes, db.Delete("pending_summary_node_messages", rows[0]))
	record, err := db.Write(t.Context(), b)
	must(t, err)
	if status := statusOf(t, db.Path(), batch); status != "" {
		t.Errorf("the batch is %q", status)
	}
	_, changes, err := db.RecordChanges(t.Context(), record)
	must(t, err)
	for _, c := range changes {
		if strings.HasPrefix(c.Table, "pending_") {
			t.Errorf("the record has %s", c.Label())
		}
	}
	must(t, db.Undo(t.Context(), record))
	if _, err := db.Message(t.Context(), int64(first)); err != nil {
		t.Error(err)
	}
	if status := statusOf(t, db.Path(), batch); status != "" {
		t.Errorf("undo brought the batch back: %q", status)
	}
}

// TestAHostPublishesNothingOfWhatChanged: the host itself finds the batch stale.
func TestAHostPublishesNothingOfWhatChanged(t *testing.T) {
	t.Parallel()
	h, db, batch := preparing(t)
	_, err := db.Write(t.Context(), dropping(t, db, 1, 0))
	must(t, err)
	was := contextOf(t, db, 0, 99)
	if err := h.Publish(batch); err != nil && !errors.Is(err, fakehost.ErrNotReady) {
		t.Error(err)
	}
	if is := contextOf(t, db, 0, 99); is != was {
		t.Errorf("the context was %q, is %q", was, is)
	}
}
