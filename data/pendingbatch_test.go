package data_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
			if stale := strings.HasPrefix(status, "stale: the context was changed by lcm-tui"); stale != c.stale || (out.StaleBatches == 1) != c.stale {
				t.Errorf("%d batches were given up, and it is %q; want given up: %v", out.StaleBatches, status, c.stale)
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

// TestPendingSummariesGoWithTheirMessage: the schema wouldn't let the message go. Undo restores
// the batch with its texts, but as stale.
func TestPendingSummariesGoWithTheirMessage(t *testing.T) {
	t.Parallel()
	h, db, batch := preparing(t)
	first, err := testdb.Count(db.Path(), "SELECT min(message_id) FROM pending_summary_node_messages")
	must(t, err)
	texts := pendingTexts(t, db.Path())
	out, err := db.WriteBatch(t.Context(), deleting(t, db, int64(first)))
	must(t, err)
	if status := statusOf(t, db.Path(), batch); status != "" || out.DeletedBatches != 1 || out.StaleBatches != 0 {
		t.Errorf("the batch is %q, %d were deleted and %d made stale", status, out.DeletedBatches, out.StaleBatches)
	}
	must(t, db.Undo(t.Context(), out.Record))
	if _, err := db.Message(t.Context(), int64(first)); err != nil {
		t.Error(err)
	}
	if status := statusOf(t, db.Path(), batch); !strings.HasPrefix(status, "stale: ") {
		t.Errorf("undo brought the batch back as %q", status)
	}
	if diff := cmp.Diff(texts, pendingTexts(t, db.Path())); diff != "" || len(texts) == 0 {
		t.Errorf("texts and links of %d nodes: %s", len(texts), diff)
	}
	noneOpen(t, db.Path())
	if err := h.Publish(batch); !errors.Is(err, fakehost.ErrNotReady) {
		t.Errorf("the host publishes it: %v", err)
	}
}

// pendingTexts are the nodes of a file with their texts and what they are made of.
func pendingTexts(t *testing.T, path string) []string {
	t.Helper()
	return testdb.Rows(t, path, `SELECT node_id || ' ' || kind || ' ' || coalesce(content, '') || ' ' || coalesce(token_count, 0) || ' '
		|| coalesce((SELECT group_concat(message_id || '@' || ordinal, ' ') FROM pending_summary_node_messages l WHERE l.node_id = n.node_id), '')
		|| ' ' || coalesce((SELECT group_concat(coalesce(child_node_id, child_summary_id) || '@' || ordinal, ' ') FROM pending_summary_node_children l WHERE l.node_id = n.node_id), '')
		FROM pending_summary_nodes n ORDER BY 1`)
}

// noneOpen fails where a host could still use a batch or node, or a stale node has a lease.
func noneOpen(t *testing.T, path string) {
	t.Helper()
	n, err := testdb.Count(path, `SELECT (SELECT count(*) FROM pending_compaction_batches WHERE status IN ('planning', 'ready', 'publishing'))
		+ (SELECT count(*) FROM pending_summary_nodes WHERE status IN ('planned', 'running', 'ready', 'failed') OR lease_owner IS NOT NULL OR lease_expires_at IS NOT NULL)`)
	if err != nil || n > 0 {
		t.Errorf("%d batches and nodes can still be used, %v", n, err)
	}
}

// TestAPlanMakesBatchesStale: the plan shows every row, nothing is written when a row is another
// by then, and the record says that there is nothing to undo.
func TestAPlanMakesBatchesStale(t *testing.T) {
	t.Parallel()
	h, db, batch := preparing(t)
	cs, err := db.StaleBatches(t.Context(), "a test gave it up", batch, batch, "pcb_none")
	must(t, err)
	nodes, err := testdb.Count(db.Path(), "SELECT count(*) FROM pending_summary_nodes")
	must(t, err)
	if len(cs) != 1+nodes || cs[0].Before["status"] != "planning" || cs[0].After["status"] != "stale" {
		t.Fatalf("%d changes, want those of the batch and of %d nodes: %+v", len(cs), nodes, cs)
	}
	b := data.Batch{Op: "test", Title: "give up", Changes: cs}
	must(t, h.Exec("UPDATE pending_summary_nodes SET status = 'planned' WHERE node_id = (SELECT max(node_id) FROM pending_summary_nodes)"))
	var stale *data.StaleError
	if err := db.Check(t.Context(), b); !errors.As(err, &stale) {
		t.Errorf("a host changed a node, and the plan still fits: %v", err)
	}
	if _, err := db.WriteBatch(t.Context(), b); !errors.As(err, &stale) || statusOf(t, db.Path(), batch) != "planning: " {
		t.Errorf("a stale plan was written: %v", err)
	}
	b.Changes, err = db.StaleBatches(t.Context(), "a test gave it up", batch)
	must(t, err)
	out, err := db.WriteBatch(t.Context(), b)
	must(t, err)
	if status := statusOf(t, db.Path(), batch); status != "stale: a test gave it up" || out.StaleBatches != 1 {
		t.Errorf("the batch is %q, %d were made stale", status, out.StaleBatches)
	}
	noneOpen(t, db.Path())
	r, changes, err := db.RecordChanges(t.Context(), out.Record)
	must(t, err)
	if r.StaleBatches != 1 || len(changes) != len(b.Changes) {
		t.Errorf("the record has %d batches and %d changes", r.StaleBatches, len(changes))
	}
	var only *data.OnlyStaleError
	if err := db.Undo(t.Context(), out.Record); !errors.As(err, &only) || !errors.Is(err, data.ErrNoRecord) || only.Hint() == "" {
		t.Errorf("undo: %v", err)
	}
	if again, err := db.StaleBatches(t.Context(), "again", batch); err != nil || len(again) != 0 {
		t.Errorf("a stale batch is made stale again: %+v, %v", again, err)
	}
}

// TestAPlanDeletesBatches: undo restores them with nodes, texts and links, as stale; redo
// deletes them again. A batch that a host deleted meanwhile is no reason to refuse.
func TestAPlanDeletesBatches(t *testing.T) {
	t.Parallel()
	h, db, batch := preparing(t)
	texts := pendingTexts(t, db.Path())
	cs, err := db.DeleteBatches(t.Context(), batch)
	must(t, err)
	record, err := db.Write(t.Context(), data.Batch{Op: "test", Title: "delete", Changes: cs})
	must(t, err)
	if left := len(pendingTexts(t, db.Path())) + len(testdb.Rows(t, db.Path(), "SELECT node_id FROM pending_summary_node_messages")); left > 0 || statusOf(t, db.Path(), batch) != "" {
		t.Errorf("%d rows are left", left)
	}
	for range 2 {
		must(t, db.Undo(t.Context(), record))
		if status := statusOf(t, db.Path(), batch); !strings.HasPrefix(status, "stale: ") {
			t.Errorf("undo brought the batch back as %q", status)
		}
		if diff := cmp.Diff(texts, pendingTexts(t, db.Path())); diff != "" {
			t.Error(diff)
		}
		noneOpen(t, db.Path())
		r, err := db.Redo(t.Context(), record)
		must(t, err)
		record, err = db.Write(t.Context(), data.Batch{Op: "redo", Title: "redo", Changes: r.Changes, Redoes: record})
		must(t, err)
		if status := statusOf(t, db.Path(), batch); status != "" {
			t.Errorf("redo left the batch %q", status)
		}
	}
	must(t, db.Undo(t.Context(), record))
	must(t, h.Exec("DELETE FROM pending_compaction_batches"))
	r, err := db.Redo(t.Context(), record)
	must(t, err)
	if len(r.Changes) != 0 {
		t.Errorf("redo deletes what a host has deleted: %+v", r.Changes)
	}
}

// TestAPlanMayDoNoMoreToBatches: only hosts prepare and publish.
func TestAPlanMayDoNoMoreToBatches(t *testing.T) {
	t.Parallel()
	_, db, batch := preparing(t)
	rows, err := db.Images(t.Context(), "pending_compaction_batches", data.Row{"batch_id": batch})
	must(t, err)
	was := testdb.Rows(t, db.Path(), "SELECT status FROM pending_compaction_batches")
	var broken *data.InvariantError
	publish := data.Batch{Op: "test", Title: "publish", Changes: []data.Change{db.Update("pending_compaction_batches", rows[0], data.Row{"status": "published"})}}
	if _, err := db.Write(t.Context(), publish); !errors.As(err, &broken) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(was, testdb.Rows(t, db.Path(), "SELECT status FROM pending_compaction_batches")); diff != "" {
		t.Error(diff)
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
