package lcm

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// PendingBatch is a row of pending_compaction_batches, from 1.0: a part of a context for which
// a host prepares summaries in the background.
type PendingBatch struct {
	ID             string
	Conversation   int64
	SessionKey     string
	Status         string      // One of the batch statuses below.
	Fingerprint    string      // Of the range when it was planned: source_projection_fingerprint.
	First, Last    int64       // The range of ordinals: compactable_start_ordinal and compactable_end_ordinal.
	FreshTailStart data.Number // Where the fresh tail began when the batch was planned; not valid where that is unknown.
	PromptVersion  string
	Model          string
	Failure        data.Stored // Why the batch was given up: failure_summary.
	CreatedAt      data.Time
	UpdatedAt      data.Time
	PublishedAt    data.Time
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
func HasPendingTables(s *data.Schema) bool {
	return s.Has(data.PendingBatchTable) && s.Has(data.PendingNodeTable)
}

// PendingBatches returns the selected batches, newest first: of a conversation's active ones, hosts
// look only at the first.
func PendingBatches(ctx context.Context, db data.Querier, of PendingSelection) ([]PendingBatch, error) {
	s := db.Schema()
	if !s.Has(data.PendingBatchTable) {
		return nil, nil
	}
	where, args := of.condition(s)
	query := "SELECT " + s.Stored(data.PendingBatchTable, "b", `batch_id conversation_id session_key status source_projection_fingerprint
		compactable_start_ordinal compactable_end_ordinal planned_fresh_tail_start_ordinal prompt_version model failure_summary
		created_at updated_at published_at`) + " FROM " + data.PendingBatchTable + " b WHERE " + where + " ORDER BY 12 DESC, 1 DESC"
	return data.Collect(ctx, db, "read pending batches", query, args, func(scan data.RowScanner, b *PendingBatch) error {
		return scan((*data.Text)(&b.ID), (*data.Integer)(&b.Conversation), (*data.Word)(&b.SessionKey), (*data.Word)(&b.Status), (*data.Text)(&b.Fingerprint),
			(*data.Integer)(&b.First), (*data.Integer)(&b.Last), &b.FreshTailStart, (*data.Word)(&b.PromptVersion), (*data.Word)(&b.Model), &b.Failure,
			&b.CreatedAt, &b.UpdatedAt, &b.PublishedAt)
	})
}

// PendingBatchCounts returns the numbers of batches by conversation and status.
func PendingBatchCounts(ctx context.Context, db data.Querier) (map[int64]map[string]int64, error) {
	return countStates(ctx, db, data.PendingBatchTable, "status")
}

// countStates counts the rows of a table by conversation_id and another column.
func countStates(ctx context.Context, db data.Querier, table, state string) (map[int64]map[string]int64, error) {
	out := map[int64]map[string]int64{}
	if !db.Schema().Has(table) {
		return out, nil
	}
	query := "SELECT " + db.Schema().Exprs(table, "t", "conversation_id", state) + ", count(*) FROM " + table + " t GROUP BY 1, 2"
	err := data.Each(ctx, db, "count "+table, query, nil, func(scan data.RowScanner) error {
		var conv, n data.Integer
		var value data.Word
		err := scan(&conv, &value, &n)
		if out[int64(conv)] == nil {
			out[int64(conv)] = map[string]int64{}
		}
		out[int64(conv)][string(value)] += int64(n)
		return err
	})
	return out, err
}
