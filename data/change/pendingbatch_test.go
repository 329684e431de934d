package change_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// statusOf returns what a batch says of itself.
func statusOf(t *testing.T, path, batch string) string {
	t.Helper()
	rows := testdb.Rows(t, path, "SELECT status || ': ' || coalesce(failure_summary, '') FROM pending_compaction_batches WHERE batch_id = '"+batch+"'")
	return strings.Join(rows, "; ")
}

// TestPendingSummariesAreGivenUp where a change is about what they are made from: else the
// host would publish them by ordinals and texts that are others now.
func TestPendingSummariesAreGivenUp(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		batch func(t *testing.T, db *data.DB) change.Batch
		stale bool
	}{
		"a title": {func(t *testing.T, db *data.DB) change.Batch { return retitle(t, db, "another") }, false},
		"a message's text": {func(t *testing.T, db *data.DB) change.Batch {
			return updating(t, db, "messages", "message_id", 1, data.Row{"content": "another text"})
		}, true},
		"what a host takes no fingerprint of": {func(t *testing.T, db *data.DB) change.Batch {
			return updating(t, db, "messages", "message_id", 1, data.Row{"identity_hash": "another"})
		}, false},
		"a message of the fresh tail": {func(t *testing.T, db *data.DB) change.Batch {
			return updating(t, db, "messages", "message_id", 39, data.Row{"content": "another text"})
		}, false},
		"a place of its context":     {func(t *testing.T, db *data.DB) change.Batch { return dropping(t, db, 1, 0) }, true},
		"a place of another context": {func(t *testing.T, db *data.DB) change.Batch { return dropping(t, db, 2, 0) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, db, batch := preparing(t)
			out, err := change.WriteBatch(t.Context(), db, c.batch(t, db))
			must(t, err)
			status := statusOf(t, db.Path(), batch)
			if stale := strings.HasPrefix(status, "stale: the context was changed by lcm-tui"); stale != c.stale || (out.StaleBatches == 1) != c.stale {
				t.Errorf("%d batches were given up, and it is %q; want given up: %v", out.StaleBatches, status, c.stale)
			}
			if n, err := testdb.Count(db.Path(), "SELECT count(*) FROM pending_summary_nodes WHERE lease_owner IS NOT NULL AND status = 'stale'"); err != nil || n > 0 {
				t.Errorf("%d stale nodes have a lease, %v", n, err)
			}
			must(t, change.Undo(t.Context(), db, out.Record))
			if again := statusOf(t, db.Path(), batch); again != status {
				t.Errorf("undo made %q of %q", again, status)
			}
			if why, err := h.Check(batch); !c.stale && (err != nil || why != "") {
				t.Errorf("the host can't publish it any more: %s, %v", why, err)
			}
		})
	}
}

// updating returns a change of a row of a number.
func updating(t *testing.T, db *data.DB, table, key string, id int64, columns data.Row) change.Batch {
	t.Helper()
	rows, err := data.Images(t.Context(), db, table, data.Row{key: id})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	return change.Batch{Op: "test", Title: "update", Changes: []change.Change{change.Update(db, table, rows[0], columns)}}
}

// dropping takes an item out of a context.
func dropping(t *testing.T, db *data.DB, conv, ordinal int64) change.Batch {
	t.Helper()
	rows, err := data.Images(t.Context(), db, "context_items", data.Row{"conversation_id": conv, "ordinal": ordinal})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	return change.Batch{Op: "test", Title: "drop", Forgets: true, Changes: []change.Change{change.Delete(db, "context_items", rows[0])}}
}

// TestPendingSummariesGoWithTheirMessage: the schema wouldn't let the message go. Undo restores
// the batch with its texts, but as stale.
func TestPendingSummariesGoWithTheirMessage(t *testing.T) {
	t.Parallel()
	h, db, batch := preparing(t)
	first, err := testdb.Count(db.Path(), "SELECT min(message_id) FROM pending_summary_node_messages")
	must(t, err)
	texts := pendingTexts(t, db.Path())
	out, err := change.WriteBatch(t.Context(), db, deleting(t, db, int64(first)))
	must(t, err)
	if status := statusOf(t, db.Path(), batch); status != "" || out.DeletedBatches != 1 || out.StaleBatches != 0 {
		t.Errorf("the batch is %q, %d were deleted and %d made stale", status, out.DeletedBatches, out.StaleBatches)
	}
	must(t, change.Undo(t.Context(), db, out.Record))
	if _, err := lcm.ReadMessage(t.Context(), db, int64(first)); err != nil {
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

// pendingTexts returns the nodes of a file with their texts and what they are made of.
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
	cs, err := change.StaleBatches(t.Context(), db, "a test gave it up", batch, batch, "pcb_none")
	must(t, err)
	nodes, err := testdb.Count(db.Path(), "SELECT count(*) FROM pending_summary_nodes")
	must(t, err)
	if len(cs) != 1+nodes || cs[0].Before["status"] != "planning" || cs[0].After["status"] != "stale" {
		t.Fatalf("%d changes, want those of the batch and of %d nodes: %+v", len(cs), nodes, cs)
	}
	b := change.Batch{Op: "test", Title: "give up", Changes: cs}
	must(t, h.Exec("UPDATE pending_summary_nodes SET status = 'planned' WHERE node_id = (SELECT max(node_id) FROM pending_summary_nodes)"))
	var stale *data.StaleError
	if err := change.Check(t.Context(), db, b); !errors.As(err, &stale) {
		t.Errorf("a host changed a node, and the plan still fits: %v", err)
	}
	if _, err := change.WriteBatch(t.Context(), db, b); !errors.As(err, &stale) || statusOf(t, db.Path(), batch) != "planning: " {
		t.Errorf("a stale plan was written: %v", err)
	}
	b.Changes, err = change.StaleBatches(t.Context(), db, "a test gave it up", batch)
	must(t, err)
	out, err := change.WriteBatch(t.Context(), db, b)
	must(t, err)
	if status := statusOf(t, db.Path(), batch); status != "stale: a test gave it up" || out.StaleBatches != 1 {
		t.Errorf("the batch is %q, %d were made stale", status, out.StaleBatches)
	}
	noneOpen(t, db.Path())
	r, changes, err := change.RecordChanges(t.Context(), db, out.Record)
	must(t, err)
	if r.StaleBatches != 1 || len(changes) != len(b.Changes) {
		t.Errorf("the record has %d batches and %d changes", r.StaleBatches, len(changes))
	}
	var only *change.OnlyStaleError
	if err := change.Undo(t.Context(), db, out.Record); !errors.As(err, &only) || !errors.Is(err, change.ErrNoRecord) || only.Hint() == "" {
		t.Errorf("undo: %v", err)
	}
	if again, err := change.StaleBatches(t.Context(), db, "again", batch); err != nil || len(again) != 0 {
		t.Errorf("a stale batch is made stale again: %+v, %v", again, err)
	}
}

// TestAPlanDeletesBatches: undo restores them with nodes, texts and links, as stale; redo
// deletes them again. A batch that a host deleted meanwhile is no reason to refuse.
func TestAPlanDeletesBatches(t *testing.T) {
	t.Parallel()
	h, db, batch := preparing(t)
	texts := pendingTexts(t, db.Path())
	cs, err := change.DeleteBatches(t.Context(), db, batch)
	must(t, err)
	record, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: "delete", Changes: cs})
	must(t, err)
	if left := len(pendingTexts(t, db.Path())) + len(testdb.Rows(t, db.Path(), "SELECT node_id FROM pending_summary_node_messages")); left > 0 || statusOf(t, db.Path(), batch) != "" {
		t.Errorf("%d rows are left", left)
	}
	for range 2 {
		must(t, change.Undo(t.Context(), db, record))
		if status := statusOf(t, db.Path(), batch); !strings.HasPrefix(status, "stale: ") {
			t.Errorf("undo brought the batch back as %q", status)
		}
		if diff := cmp.Diff(texts, pendingTexts(t, db.Path())); diff != "" {
			t.Error(diff)
		}
		noneOpen(t, db.Path())
		r, err := change.ReadRedo(t.Context(), db, record)
		must(t, err)
		record, err = change.Write(t.Context(), db, change.Batch{Op: "redo", Title: "redo", Changes: r.Changes, Redoes: record})
		must(t, err)
		if status := statusOf(t, db.Path(), batch); status != "" {
			t.Errorf("redo left the batch %q", status)
		}
	}
	must(t, change.Undo(t.Context(), db, record))
	must(t, h.Exec("DELETE FROM pending_compaction_batches"))
	r, err := change.ReadRedo(t.Context(), db, record)
	must(t, err)
	if len(r.Changes) != 0 {
		t.Errorf("redo deletes what a host has deleted: %+v", r.Changes)
	}
}

// TestAPlanMayDoNoMoreToBatches: only hosts prepare and publish.
func TestAPlanMayDoNoMoreToBatches(t *testing.T) {
	t.Parallel()
	_, db, batch := preparing(t)
	rows, err := data.Images(t.Context(), db, "pending_compaction_batches", data.Row{"batch_id": batch})
	must(t, err)
	was := testdb.Rows(t, db.Path(), "SELECT status FROM pending_compaction_batches")
	var broken *data.InvariantError
	publish := change.Batch{Op: "test", Title: "publish", Changes: []change.Change{change.Update(db, "pending_compaction_batches", rows[0], data.Row{"status": "published"})}}
	if _, err := change.Write(t.Context(), db, publish); !errors.As(err, &broken) {
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
	_, err := change.Write(t.Context(), db, dropping(t, db, 1, 0))
	must(t, err)
	was := contextOf(t, db, 0, 99)
	if err := h.Publish(batch); err != nil && !errors.Is(err, fakehost.ErrNotReady) {
		t.Error(err)
	}
	if is := contextOf(t, db, 0, 99); is != was {
		t.Errorf("the context was %q, is %q", was, is)
	}
}
