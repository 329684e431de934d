package lcm

import (
	"context"

	"lcm-tui/data"
)

// PendingNode is a row of pending_summary_nodes, from 1.0: a summary that a host prepares for a
// pending batch.
type PendingNode struct {
	ID               string
	Batch            string
	Conversation     int64
	Kind             string // "leaf" or "condensed".
	Depth            int64
	Status           string      // One of the node statuses below.
	First, Last      int64       // The range of ordinals that the summary will replace.
	Fingerprint      string      // Of its sources: source_fingerprint.
	ContextHash      data.Stored // Of its sources and range: source_context_hash.
	Content          data.Stored // The text, where the node is ready; NULL before, and after it was published.
	Bytes            int64       // The length of the whole text.
	Tokens           data.Number // Not valid where the count is unknown.
	PromptVersion    string
	Model            string
	CanonicalSummary string      // The summary that the node became, or empty.
	LeaseOwner       data.Stored // Who asks a model for the text now.
	LeaseExpiresAt   data.Time   // When another may take the node over.
	Failure          data.Stored // Of the last attempt: failure_summary.
	RetryCount       int64       // How many attempts failed.
	NextAttemptAfter data.Time   // When a failed node may be tried again.
	CreatedAt        data.Time
	UpdatedAt        data.Time
	ReadyAt          data.Time
	PromotedAt       data.Time
}

// The statuses of a pending node.
const (
	NodePlanned  = "planned"
	NodeRunning  = "running"
	NodeReady    = "ready"
	NodePromoted = "promoted" // Published: it is a summary now.
	NodeStale    = "stale"
	NodeFailed   = "failed"
)

// PendingNodes returns the nodes of the selected batches by batch, first ordinal, depth and id, which
// is the order in which hosts work on them. Each has the first clipBytes bytes of its text.
func PendingNodes(ctx context.Context, db data.Querier, of PendingSelection, clipBytes int) ([]PendingNode, error) {
	s := db.Schema()
	if !s.Has(data.PendingNodeTable) {
		return nil, nil
	}
	content, size := "NULL", "0"
	if s.Has(data.PendingNodeTable, "content") {
		size = s.ByteLength("n.content")
		content = "CASE WHEN n.content IS NOT NULL THEN " + s.Clip("n.content", clipBytes) + " END"
	}
	where, args := of.nodeCondition(s)
	query := "SELECT " + content + ", " + size + ", " + s.Stored(data.PendingNodeTable, "n", `node_id batch_id conversation_id kind depth status
		ordinal_start ordinal_end source_fingerprint source_context_hash token_count prompt_version model canonical_summary_id
		lease_owner lease_expires_at failure_summary retry_count next_attempt_after created_at updated_at ready_at promoted_at`) +
		" FROM " + data.PendingNodeTable + " n WHERE " + where + " ORDER BY 4, 9, 7, 3"
	return data.Collect(ctx, db, "read pending nodes", query, args, func(scan data.RowScanner, n *PendingNode) error {
		err := scan(&n.Content, (*data.Integer)(&n.Bytes), (*data.Text)(&n.ID), (*data.Word)(&n.Batch), (*data.Integer)(&n.Conversation), (*data.Word)(&n.Kind),
			(*data.Integer)(&n.Depth), (*data.Word)(&n.Status), (*data.Integer)(&n.First), (*data.Integer)(&n.Last), (*data.Text)(&n.Fingerprint), &n.ContextHash,
			&n.Tokens, (*data.Word)(&n.PromptVersion), (*data.Word)(&n.Model), (*data.Text)(&n.CanonicalSummary), &n.LeaseOwner, &n.LeaseExpiresAt,
			&n.Failure, (*data.Integer)(&n.RetryCount), &n.NextAttemptAfter, &n.CreatedAt, &n.UpdatedAt, &n.ReadyAt, &n.PromotedAt)
		n.Bytes = s.TextBytes(n.Content.Text, n.Bytes)
		n.Content.Text = data.Clipped(n.Content.Text, clipBytes)
		return err
	})
}
