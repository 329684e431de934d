package data

import (
	"context"
	"slices"
)

// PendingBatch is a row of pending_compaction_batches, from 1.0: a part of a context for which
// a host prepares summaries in the background.
type PendingBatch struct {
	ID             string
	Conversation   int64
	SessionKey     string
	Status         string // One of the batch statuses below.
	Fingerprint    string // Of the range when it was planned: source_projection_fingerprint.
	First, Last    int64  // The range of ordinals: compactable_start_ordinal and compactable_end_ordinal.
	FreshTailStart Number // Where the fresh tail began when the batch was planned; not valid where that is unknown.
	PromptVersion  string
	Model          string
	Failure        Stored // Why the batch was given up: failure_summary.
	CreatedAt      Time
	UpdatedAt      Time
	PublishedAt    Time
}

// The statuses of a pending batch. The first three are active: a host may still publish the
// batch. Known hosts write only planning, published and stale.
const (
	BatchPlanning   = "planning"
	BatchReady      = "ready"
	BatchPublishing = "publishing"
	BatchPublished  = "published"
	BatchStale      = "stale"
	BatchFailed     = "failed"
)

// Active reports whether a host may still publish the batch.
func (b PendingBatch) Active() bool {
	return slices.Contains([]string{BatchPlanning, BatchReady, BatchPublishing}, b.Status)
}

// HasPendingTables reports whether the file is of the generation whose hosts prepare summaries
// in the background: it has tables for batches and for nodes.
func (s *Schema) HasPendingTables() bool { return s.Has(PendingBatchTable) && s.Has(PendingNodeTable) }

// PendingBatches are the selected batches, newest first: of a conversation's active ones, hosts
// look only at the first.
func (db *DB) PendingBatches(ctx context.Context, of PendingSelection) ([]PendingBatch, error) {
	s := db.Schema()
	if !s.Has(PendingBatchTable) {
		return nil, nil
	}
	where, args := of.condition(s)
	query := "SELECT " + s.stored(PendingBatchTable, "b", `batch_id conversation_id session_key status source_projection_fingerprint
		compactable_start_ordinal compactable_end_ordinal planned_fresh_tail_start_ordinal prompt_version model failure_summary
		created_at updated_at published_at`) + " FROM " + PendingBatchTable + " b WHERE " + where + " ORDER BY 12 DESC, 1 DESC"
	return Collect(ctx, db, "read pending batches", query, args, func(scan RowScanner, b *PendingBatch) error {
		return scan((*Text)(&b.ID), (*Integer)(&b.Conversation), (*Word)(&b.SessionKey), (*Word)(&b.Status), (*Text)(&b.Fingerprint),
			(*Integer)(&b.First), (*Integer)(&b.Last), &b.FreshTailStart, (*Word)(&b.PromptVersion), (*Word)(&b.Model), &b.Failure,
			&b.CreatedAt, &b.UpdatedAt, &b.PublishedAt)
	})
}

// PendingBatchCounts are the numbers of batches by conversation and status.
func (db *DB) PendingBatchCounts(ctx context.Context) (map[int64]map[string]int64, error) {
	return db.countStates(ctx, PendingBatchTable, "status")
}

// countStates counts the rows of a table by conversation_id and another column.
func (db *DB) countStates(ctx context.Context, table, state string) (map[int64]map[string]int64, error) {
	out := map[int64]map[string]int64{}
	if !db.Schema().Has(table) {
		return out, nil
	}
	query := "SELECT " + db.Schema().exprs(table, "t", "conversation_id", state) + ", count(*) FROM " + table + " t GROUP BY 1, 2"
	err := Each(ctx, db, "count "+table, query, nil, func(scan RowScanner) error {
		var conv, n Integer
		var value Word
		err := scan(&conv, &value, &n)
		if out[int64(conv)] == nil {
			out[int64(conv)] = map[string]int64{}
		}
		out[int64(conv)][string(value)] += int64(n)
		return err
	})
	return out, err
}
