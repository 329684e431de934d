package change_test

import (
	"errors"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestFilesOfTheNewestGeneration are recognised by their tables, fresh or upgraded.
func TestFilesOfTheNewestGeneration(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, name := range []string{"small.db", "rich.db", "upgraded-small.db", "upgraded.db"} {
		db := open(t, testdb.Fixture(t, "v1.0/"+name))
		if k := db.Kind(); k.String() != "lossless-claw 1.0 beta" || k.Note != "" || len(db.Warnings()) > 0 || db.WriteRefusal() != nil {
			t.Errorf("%s is %q, %q, %v, %v", name, k, k.Note, db.Warnings(), db.WriteRefusal())
		}
	}
}

// TestFilesBetweenTwoGenerations are shown and say what they lack. They are changed unless a
// column is missing without which a host can't be kept from publishing.
func TestFilesBetweenTwoGenerations(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		sql, note string
		refused   bool
	}{
		"no batches":       {"DROP TABLE pending_compaction_batches", "incomplete: no table pending_compaction_batches", false},
		"no nodes":         {"DROP TABLE pending_summary_nodes", "incomplete: no table pending_summary_nodes", false},
		"no links":         {"DROP TABLE pending_summary_node_messages", "incomplete: no table pending_summary_node_messages", false},
		"no trust":         {"DROP TABLE message_transcript_anchor_trust", "incomplete: no table message_transcript_anchor_trust", false},
		"no retries":       {"ALTER TABLE pending_summary_nodes DROP COLUMN retry_count", "incomplete: no column pending_summary_nodes.retry_count", false},
		"no ranges":        {"ALTER TABLE pending_compaction_batches DROP COLUMN compactable_end_ordinal", "incomplete: no column pending_compaction_batches.compactable_end_ordinal", false},
		"an unknown one":   {"ALTER TABLE pending_summary_nodes ADD COLUMN of_tomorrow TEXT", "", false},
		"batches no state": {"DROP INDEX pending_compaction_batches_conv_status_idx; ALTER TABLE pending_compaction_batches RENAME COLUMN status TO state", "incomplete: no column pending_compaction_batches.status", true},
		"nodes no state":   {"ALTER TABLE pending_summary_nodes RENAME COLUMN status TO state", "incomplete: no column pending_summary_nodes.status", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, was, batch := preparing(t)
			titled, drop := retitle(t, was, "another"), dropping(t, was, 1, 0)
			must(t, h.Exec("PRAGMA foreign_keys = OFF"))
			must(t, h.Exec(c.sql))
			if _, err := change.Write(t.Context(), was, titled); (err != nil) != c.refused {
				t.Errorf("through a handle that was open before: %v", err)
			}
			db := testdb.Open(t, was.Path())
			if k := db.Kind(); k.Level != "1.0 beta" || k.Note != c.note {
				t.Errorf("it is %q, %q, want %q", k.Level, k.Note, c.note)
			}
			if browse(t, db) == 0 {
				t.Error("nothing was read")
			}
			before := dump(t, db.Path())
			out, err := change.WriteBatch(t.Context(), db, drop)
			if c.refused {
				var e *data.Error
				if !errors.As(err, &e) || !errors.Is(err, data.ErrReadOnly) || e.Hint() == "" || db.WriteRefusal() == nil || dump(t, db.Path()) != before {
					t.Errorf("got %v, %v", err, db.WriteRefusal())
				}
				return
			}
			must(t, err)
			if name != "no batches" && out.StaleBatches != 1 {
				t.Errorf("%d batches became stale", out.StaleBatches)
			}
			if err := h.Publish(batch); err == nil && name != "no nodes" && name != "no batches" {
				t.Error("the host published")
			}
			must(t, change.Undo(t.Context(), db, out.Record))
		})
	}
}

// TestPendingRowsOfWrongTypes neither end a change nor keep a batch active.
func TestPendingRowsOfWrongTypes(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, sql := range map[string]string{
		"text in ordinals": "UPDATE pending_compaction_batches SET compactable_start_ordinal = 'first', compactable_end_ordinal = x'00'; UPDATE pending_summary_nodes SET ordinal_start = 'a' || node_id, ordinal_end = 'b' || node_id",
		"no status":        "PRAGMA ignore_check_constraints = 1; UPDATE pending_summary_nodes SET status = x'72656164' WHERE ordinal_start = 0",
		"bytes for texts":  "UPDATE pending_summary_nodes SET content = x'00ff', token_count = 'many', lease_owner = 7; UPDATE pending_compaction_batches SET session_key = x'00', updated_at = 0",
		"a blob for an id": "PRAGMA foreign_keys = OFF; UPDATE pending_summary_nodes SET batch_id = CAST(batch_id AS BLOB); UPDATE pending_compaction_batches SET batch_id = CAST(batch_id AS BLOB)",
		"no ids":           "INSERT INTO pending_compaction_batches (batch_id, conversation_id, source_projection_fingerprint, compactable_start_ordinal, compactable_end_ordinal) VALUES (NULL, 1, '', 0, 9), (NULL, 1, '', 0, 9)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, db, _ := preparing(t)
			must(t, h.Exec(sql))
			record, err := change.Write(t.Context(), db, dropping(t, db, 1, 0))
			must(t, err)
			if n, err := testdb.Count(db.Path(), "SELECT count(*) FROM pending_compaction_batches WHERE status = 'planning' AND batch_id IS NOT NULL"); err != nil || n > 0 {
				t.Errorf("%d batches are active, %v", n, err)
			}
			must(t, change.Undo(t.Context(), db, record))
			gone := deleting(t, db, 1)
			record, err = change.Write(t.Context(), db, gone)
			must(t, err)
			must(t, change.Undo(t.Context(), db, record))
		})
	}
}

// TestTimesAndReasonsOfStaleBatches are written as hosts write them.
func TestTimesAndReasonsOfStaleBatches(t *testing.T) {
	t.Parallel()
	_, db, _ := preparing(t)
	_, err := change.Write(t.Context(), db, dropping(t, db, 1, 0))
	must(t, err)
	for _, table := range []string{"pending_compaction_batches", "pending_summary_nodes"} {
		n, err := testdb.Count(db.Path(), "SELECT count(*) FROM "+table+" WHERE updated_at = datetime(updated_at) AND typeof(updated_at) = 'text' AND abs(julianday(updated_at) - julianday('now')) < 1")
		all, _ := testdb.Count(db.Path(), "SELECT count(*) FROM "+table)
		if err != nil || n != all || n == 0 {
			t.Errorf("%d of %d times of %s are SQLite's, %v", n, all, table, err)
		}
	}
}
