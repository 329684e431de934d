package read

import (
	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
)

// pendingBatch is a pending batch with what the host would do with it.
type pendingBatch struct {
	ID           string  `json:"batch_id"`
	Conversation int64   `json:"conversation_id"`
	SessionKey   *string `json:"session_key"`
	Status       string  `json:"status"`
	Active       bool    `json:"active"`
	batchOutcome
	batchRange
	batchSource
	batchTimes
	NextClaim     *string           `json:"next_claim_node_id"`
	NextAttemptAt data.Time         `json:"next_attempt_at"`
	Messages      int               `json:"covered_messages"`
	Frontier      []string          `json:"frontier_node_ids"`
	Stretches     []pending.Stretch `json:"stretches"`
	Nodes         []pendingNode     `json:"nodes"`

	conv    lcm.Conversation
	from    *pending.Batch
	verdict pending.Verdict
}

// batchTimes is when a batch was made, changed and published.
type batchTimes struct {
	CreatedAt   data.Time `json:"created_at"`
	UpdatedAt   data.Time `json:"updated_at"`
	PublishedAt data.Time `json:"published_at"`
}

// batchSource is what a batch is made with and of.
type batchSource struct {
	PromptVersion  string  `json:"prompt_version"`
	Model          string  `json:"model"`
	Fingerprint    string  `json:"source_projection_fingerprint"`
	FailureSummary *string `json:"failure_summary"`
}

// batchRange is where in the context a batch stands.
type batchRange struct {
	First       int64  `json:"compactable_start_ordinal"`
	Last        int64  `json:"compactable_end_ordinal"`
	PlannedTail *int64 `json:"planned_fresh_tail_start_ordinal"`
	FreshTail   *int64 `json:"fresh_tail_ordinal"`
	TailNoted   bool   `json:"fresh_tail_as_planned"`
}

// batchOutcome is what becomes of a batch.
type batchOutcome struct {
	State       *string `json:"state"`
	Publishable bool    `json:"publishable"`
	Outcome     string  `json:"outcome"`
	Reason      *string `json:"reason"`
	ReasonNode  *string `json:"reason_node_id"`
}

// pendingNode is a node of a pending batch.
type pendingNode struct {
	ID      string  `json:"node_id"`
	Kind    string  `json:"kind"`
	Depth   int64   `json:"depth"`
	Status  string  `json:"status"`
	First   int64   `json:"ordinal_start"`
	Last    int64   `json:"ordinal_end"`
	Tokens  *int64  `json:"token_count"`
	Bytes   int64   `json:"content_bytes"`
	Content *string `json:"content,omitempty"`
	nodeSources
	CanonicalSummary *string `json:"canonical_summary_id"`
	nodeLease
	nodeSource
	nodeTimes

	from *pending.Node
}

// nodeTimes is when a node was made, changed, ready and published.
type nodeTimes struct {
	CreatedAt  data.Time `json:"created_at"`
	UpdatedAt  data.Time `json:"updated_at"`
	ReadyAt    data.Time `json:"ready_at"`
	PromotedAt data.Time `json:"promoted_at"`
}

// nodeSource is what a node is made with.
type nodeSource struct {
	Fingerprint   string  `json:"source_fingerprint"`
	ContextHash   *string `json:"source_context_hash"`
	PromptVersion string  `json:"prompt_version"`
	Model         string  `json:"model"`
}

// nodeLease is who works on a node, and what came of earlier tries.
type nodeLease struct {
	LeaseOwner       *string   `json:"lease_owner"`
	LeaseExpiresAt   data.Time `json:"lease_expires_at"`
	RetryCount       int64     `json:"retry_count"`
	NextAttemptAfter data.Time `json:"next_attempt_after"`
	FailureSummary   *string   `json:"failure_summary"`
}

// nodeSources is what a node is made of.
type nodeSources struct {
	Messages       []int64  `json:"message_ids"`
	ChildNodes     []string `json:"child_node_ids"`
	ChildSummaries []string `json:"child_summary_ids"`
}

func newPendingBatch(b *pending.Batch, v pending.Verdict, conv lcm.Conversation, whole bool) pendingBatch {
	out := pendingBatch{
		ID: b.ID, Conversation: b.Conversation, SessionKey: cli.OrNull(b.SessionKey), Status: b.Status, Active: b.Active(),
		batchOutcome: batchOutcome{cli.OrNull(string(v.State)), v.Outcome == pending.Publishes, string(v.Outcome), cli.OrNull(v.Reason), cli.OrNull(v.Node)},
		batchRange:   batchRange{First: b.First, Last: b.Last, PlannedTail: numberOrNull(b.FreshTailStart)},
		batchSource:  batchSource{b.PromptVersion, b.Model, b.Fingerprint, storedOrNull(b.Failure)},
		batchTimes:   batchTimes{b.CreatedAt, b.UpdatedAt, b.PublishedAt}, NextClaim: cli.OrNull(v.NextClaim), NextAttemptAt: v.NextAt,
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
		nodeSources: nodeSources{[]int64{}, []string{}, []string{}}, CanonicalSummary: cli.OrNull(n.CanonicalSummary),
		nodeLease:  nodeLease{storedOrNull(n.LeaseOwner), n.LeaseExpiresAt, n.RetryCount, n.NextAttemptAfter, storedOrNull(n.Failure)},
		nodeSource: nodeSource{n.Fingerprint, storedOrNull(n.ContextHash), n.PromptVersion, n.Model},
		nodeTimes:  nodeTimes{n.CreatedAt, n.UpdatedAt, n.ReadyAt, n.PromotedAt}, from: n,
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

// numberOrNull returns nil for a cell that isn't a number.
func numberOrNull(n data.Number) *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Value
}

// storedOrNull returns nil for a cell that is NULL.
func storedOrNull(s data.Stored) *string {
	if s.Null {
		return nil
	}
	return &s.Text
}
