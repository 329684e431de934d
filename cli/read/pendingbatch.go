package read

import (
	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
)

// pendingBatch is a pending batch with what the host would do with it.
type pendingBatch struct {
	ID             string            `json:"batch_id"`
	Conversation   int64             `json:"conversation_id"`
	SessionKey     *string           `json:"session_key"`
	Status         string            `json:"status"`
	Active         bool              `json:"active"`
	State          *string           `json:"state"`
	Publishable    bool              `json:"publishable"`
	Outcome        string            `json:"outcome"`
	Reason         *string           `json:"reason"`
	ReasonNode     *string           `json:"reason_node_id"`
	First          int64             `json:"compactable_start_ordinal"`
	Last           int64             `json:"compactable_end_ordinal"`
	PlannedTail    *int64            `json:"planned_fresh_tail_start_ordinal"`
	FreshTail      *int64            `json:"fresh_tail_ordinal"`
	TailNoted      bool              `json:"fresh_tail_as_planned"`
	PromptVersion  string            `json:"prompt_version"`
	Model          string            `json:"model"`
	Fingerprint    string            `json:"source_projection_fingerprint"`
	FailureSummary *string           `json:"failure_summary"`
	CreatedAt      data.Time         `json:"created_at"`
	UpdatedAt      data.Time         `json:"updated_at"`
	PublishedAt    data.Time         `json:"published_at"`
	NextClaim      *string           `json:"next_claim_node_id"`
	NextAttemptAt  data.Time         `json:"next_attempt_at"`
	Messages       int               `json:"covered_messages"`
	Frontier       []string          `json:"frontier_node_ids"`
	Stretches      []pending.Stretch `json:"stretches"`
	Nodes          []pendingNode     `json:"nodes"`

	conv    lcm.Conversation
	from    *pending.Batch
	verdict pending.Verdict
}

// pendingNode is a node of a pending batch.
type pendingNode struct {
	ID               string    `json:"node_id"`
	Kind             string    `json:"kind"`
	Depth            int64     `json:"depth"`
	Status           string    `json:"status"`
	First            int64     `json:"ordinal_start"`
	Last             int64     `json:"ordinal_end"`
	Tokens           *int64    `json:"token_count"`
	Bytes            int64     `json:"content_bytes"`
	Content          *string   `json:"content,omitempty"`
	Messages         []int64   `json:"message_ids"`
	ChildNodes       []string  `json:"child_node_ids"`
	ChildSummaries   []string  `json:"child_summary_ids"`
	CanonicalSummary *string   `json:"canonical_summary_id"`
	LeaseOwner       *string   `json:"lease_owner"`
	LeaseExpiresAt   data.Time `json:"lease_expires_at"`
	RetryCount       int64     `json:"retry_count"`
	NextAttemptAfter data.Time `json:"next_attempt_after"`
	FailureSummary   *string   `json:"failure_summary"`
	Fingerprint      string    `json:"source_fingerprint"`
	ContextHash      *string   `json:"source_context_hash"`
	PromptVersion    string    `json:"prompt_version"`
	Model            string    `json:"model"`
	CreatedAt        data.Time `json:"created_at"`
	UpdatedAt        data.Time `json:"updated_at"`
	ReadyAt          data.Time `json:"ready_at"`
	PromotedAt       data.Time `json:"promoted_at"`

	from *pending.Node
}

func newPendingBatch(b *pending.Batch, v pending.Verdict, conv lcm.Conversation, whole bool) pendingBatch {
	out := pendingBatch{
		ID: b.ID, Conversation: b.Conversation, SessionKey: cli.OrNull(b.SessionKey), Status: b.Status, Active: b.Active(),
		State: cli.OrNull(string(v.State)), Publishable: v.Outcome == pending.Publishes, Outcome: string(v.Outcome), Reason: cli.OrNull(v.Reason),
		ReasonNode: cli.OrNull(v.Node), First: b.First, Last: b.Last, PlannedTail: numberOrNull(b.FreshTailStart),
		PromptVersion: b.PromptVersion, Model: b.Model, Fingerprint: b.Fingerprint, FailureSummary: storedOrNull(b.Failure),
		CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt, PublishedAt: b.PublishedAt, NextClaim: cli.OrNull(v.NextClaim), NextAttemptAt: v.NextAt,
		Frontier: cli.NonNil(v.Frontier), Stretches: append([]pending.Stretch{}, b.Stretches(v.FreshTail)...), Nodes: []pendingNode{}, conv: conv, from: b, verdict: v,
	}
	if len(b.Items) > 0 {
		out.FreshTail, out.TailNoted = &v.FreshTail, v.TailNoted
	}
	covered := map[int64]bool{}
	for _, n := range b.Nodes {
		out.Nodes = append(out.Nodes, newPendingNode(n, whole))
		for _, m := range n.Messages {
			covered[m.Message] = true
		}
	}
	out.Messages = len(covered)
	return out
}

func newPendingNode(n *pending.Node, whole bool) pendingNode {
	out := pendingNode{
		ID: n.ID, Kind: n.Kind, Depth: n.Depth, Status: n.Status, First: n.First, Last: n.Last, Tokens: numberOrNull(n.Tokens), Bytes: n.Bytes,
		Messages: []int64{}, ChildNodes: []string{}, ChildSummaries: []string{}, CanonicalSummary: cli.OrNull(n.CanonicalSummary),
		LeaseOwner: storedOrNull(n.LeaseOwner), LeaseExpiresAt: n.LeaseExpiresAt, RetryCount: n.RetryCount, NextAttemptAfter: n.NextAttemptAfter,
		FailureSummary: storedOrNull(n.Failure), Fingerprint: n.Fingerprint, ContextHash: storedOrNull(n.ContextHash),
		PromptVersion: n.PromptVersion, Model: n.Model, CreatedAt: n.CreatedAt, UpdatedAt: n.UpdatedAt, ReadyAt: n.ReadyAt, PromotedAt: n.PromotedAt, from: n,
	}
	if whole {
		out.Content = storedOrNull(n.Content)
	}
	for _, m := range n.Messages {
		out.Messages = append(out.Messages, m.Message)
	}
	for _, c := range n.Children {
		if c.ChildNode != "" {
			out.ChildNodes = append(out.ChildNodes, c.ChildNode)
		}
		if c.ChildSummary != "" {
			out.ChildSummaries = append(out.ChildSummaries, c.ChildSummary)
		}
	}
	return out
}

// numberOrNull is nil for a cell that isn't a number.
func numberOrNull(n data.Number) *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Value
}

// storedOrNull is nil for a cell that is NULL.
func storedOrNull(s data.Stored) *string {
	if s.Null {
		return nil
	}
	return &s.Text
}
