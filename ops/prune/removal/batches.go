package removal

import (
	"context"
	"encoding/json"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
)

// BatchAge is how old a finished batch has to be: from then on hosts of 1.0 delete it themselves, while
// its conversation has no active one.
const BatchAge = 7 * 24 * time.Hour

// finishedBatch is the condition of a pending batch b that may go: one that was published or given up before
// ?1, or one that an archived conversation left active, which no host ever looks at again.
const finishedBatch = "(b.status IN ('" + lcm.BatchStale + "', '" + lcm.BatchPublished + "') AND julianday(b.updated_at) < julianday(?1) OR b." + lcm.ActiveBatch +
	" AND b.conversation_id IN (SELECT c.conversation_id FROM conversations c WHERE c.active = 0))"

// Batch is a pending batch that may go, and what it takes.
type Batch struct {
	ID           string
	Conversation int64
	Active       bool // Its conversation is archived.
	Nodes, Links int64
	Bytes        int64 // Of the texts that it prepared, and of its rows about.
}

// nodeRowBytes is about what the row of a node takes beside its text, and linkRowBytes that of a link, both with
// their indexes.
const (
	nodeRowBytes = 700
	linkRowBytes = 150
)

// OldBatches returns the pending batches that may go, by conversation. Files before 1.0 have none.
func OldBatches(ctx context.Context, db *data.DB, before time.Time) (out []Batch, err error) {
	s := db.Schema()
	if !hasBatches(s) {
		return nil, nil
	}
	query := "SELECT b.batch_id, b.conversation_id, b." + lcm.ActiveBatch + ", (SELECT count(*) FROM " + data.PendingNodeTable + " n WHERE n.batch_id = b.batch_id), " +
		"(SELECT count(*) FROM " + data.PendingNodeMessageTable + " l JOIN " + data.PendingNodeTable + " n ON n.node_id = l.node_id WHERE n.batch_id = b.batch_id) + " +
		"(SELECT count(*) FROM " + data.PendingNodeChildTable + " l JOIN " + data.PendingNodeTable + " n ON n.node_id = l.node_id WHERE n.batch_id = b.batch_id), " +
		"(SELECT coalesce(sum(octet_length(n.content)), 0) FROM " + data.PendingNodeTable + " n WHERE n.batch_id = b.batch_id) FROM " +
		data.PendingBatchTable + " b WHERE " + finishedBatch + " ORDER BY b.conversation_id, b.batch_id"
	err = db.EachRow(ctx, "read pending batches", query, []any{data.FormatTime(before.UTC())}, func(scan data.RowScanner) error {
		var b Batch
		err := scan((*data.Text)(&b.ID), (*data.Integer)(&b.Conversation), &b.Active, &b.Nodes, &b.Links, &b.Bytes)
		b.Bytes += (b.Nodes+1)*nodeRowBytes + b.Links*linkRowBytes
		out = append(out, b)
		return err
	})
	return out, err
}

// hasBatches reports whether the file has all that finishedBatch and RemoveBatches ask for.
func hasBatches(s *data.Schema) bool {
	return s.Has(data.PendingBatchTable, "batch_id", "conversation_id", "status", "updated_at") && s.Has(data.PendingNodeTable, "node_id", "batch_id", "content") &&
		s.Has(data.PendingNodeMessageTable, "node_id") && s.Has(data.PendingNodeChildTable, "node_id", "child_node_id") && s.Has("conversations", "active")
}

// RemoveBatches deletes those of some pending batches that may still go, with their nodes and links, under a record of
// its own, which keeps nothing of them.
func RemoveBatches(ctx context.Context, db *data.DB, title string, batches []Batch, before time.Time, detail map[string]any, report data.Report) (change.Outcome, error) {
	text, err := json.Marshal(detail)
	if err != nil {
		return change.Outcome{}, err
	}
	left, total, removed := batches, int64(len(batches)), int64(0)
	return change.WriteSet(ctx, db, change.SetWrite{Op: "prune", Title: title, Detail: text, NoUndo: true, Report: report, Write: func(ctx context.Context, t *change.Turn) (bool, error) {
		n, gone := 0, removed
		for ; n < len(left) && !t.Full(); n++ {
			rows, err := removeBatch(ctx, t, left[n], before)
			if err != nil {
				return false, err
			}
			gone += rows
			t.Wrote(1 + int(left[n].Nodes+left[n].Links))
		}
		left, removed = left[n:], gone
		t.Progress(total-int64(len(left)), total, "batches")
		if len(left) == 0 && removed == 0 {
			return false, &data.StaleError{What: "every pending batch", Why: "is gone or active again by now"}
		}
		return len(left) == 0, nil
	}})
}

// removeBatch deletes a batch if it may still go, the rows that name others first. It returns how many it
// deleted: 1 or 0.
func removeBatch(ctx context.Context, t *change.Turn, b Batch, before time.Time) (int64, error) {
	if !hasBatches(t.Schema()) {
		return 0, nil
	}
	const still = "SELECT b.batch_id FROM " + data.PendingBatchTable + " b WHERE b.batch_id = ?2 AND " + finishedBatch
	const nodes = "SELECT node_id FROM " + data.PendingNodeTable + " WHERE batch_id IN (" + still + ")"
	args := []any{data.FormatTime(before.UTC()), b.ID}
	for _, statement := range []string{
		"DELETE FROM " + data.PendingNodeChildTable + " WHERE node_id IN (" + nodes + ") OR child_node_id IN (" + nodes + ")",
		"DELETE FROM " + data.PendingNodeMessageTable + " WHERE node_id IN (" + nodes + ")",
		"DELETE FROM " + data.PendingNodeTable + " WHERE batch_id IN (" + still + ")",
	} {
		if _, err := t.Exec(ctx, statement, args...); err != nil {
			return 0, err
		}
	}
	return t.Exec(ctx, "DELETE FROM "+data.PendingBatchTable+" WHERE batch_id IN ("+still+")", args...)
}
