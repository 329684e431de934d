package fakehost

import (
	"errors"
	"fmt"
	"time"
)

// ErrNotReady is the failure with which a publication ends when a node of its batch is
// no longer ready.
var ErrNotReady = errors.New("pending summary node is not ready for publish")

// Node is a summary of a pending batch.
type Node struct {
	ID         string
	First, End int64 // Ordinals.
	lease      string
}

// Plan begins a pending batch as hosts of 1.0 do: leaves over the messages before the
// fresh tail, each as large as a chunk, nothing of them written into the context yet.
// Not ok where no chunk is full. Condensed nodes are left out.
func (h *Host) Plan(conv int64) (batch string, nodes []Node, ok bool, err error) {
	items, err := h.context(conv)
	if err != nil {
		return "", nil, false, err
	}
	tail := h.tail(items)
	chunks := h.chunks(items, tail)
	if len(chunks) == 0 {
		return "", nil, false, nil
	}
	end := chunks[len(chunks)-1].Last
	hash, err := h.rangeFingerprint(conv, items[0].ordinal, end)
	if err != nil {
		return "", nil, false, err
	}
	var batches int
	if err := h.Read([]any{&batches}, "SELECT count(*) FROM pending_compaction_batches"); err != nil {
		return "", nil, false, err
	}
	id := fmt.Sprintf("%s_%s", hash[:16], fingerprint("batch", hash, batches)[:16])
	err = h.Tx(func(*Writer) error {
		err := h.Exec(`INSERT INTO pending_compaction_batches (batch_id, conversation_id, source_projection_fingerprint,
			compactable_start_ordinal, compactable_end_ordinal, planned_fresh_tail_start_ordinal, prompt_version, model)
			VALUES (?, ?, ?, ?, ?, ?, 'pending-summary-dag:v1', 'fake')`, "pcb_"+id, conv, hash, items[0].ordinal, end, tail)
		for _, c := range chunks {
			if err == nil {
				nodes, err = h.planNode(nodes, id, c)
			}
		}
		return err
	})
	return "pcb_" + id, nodes, true, err
}

// chunks are the leaves of a plan. What is too small for one is summarised only where a
// full one follows.
func (h *Host) chunks(items []item, tail int64) (out []Choice) {
	var waiting []Choice
	var run []item
	sum := 0
	end := func(full bool) {
		if len(run) > 0 {
			waiting = append(waiting, choice(0, run))
		}
		if full {
			out, waiting = append(out, waiting...), nil
		}
		run, sum = nil, 0
	}
	for _, i := range items {
		if i.ordinal >= tail {
			break
		}
		if i.summary != "" {
			end(false)
			continue
		}
		run, sum = append(run, i), sum+i.tokens
		if sum >= h.Config.LeafChunkTokens {
			end(true)
		}
	}
	return out
}

// planNode writes a node and what it will be made of.
func (h *Host) planNode(nodes []Node, batch string, c Choice) ([]Node, error) {
	var conv int64
	if err := h.Read([]any{&conv}, "SELECT conversation_id FROM pending_compaction_batches WHERE batch_id = ?", "pcb_"+batch); err != nil {
		return nodes, err
	}
	source, place, err := h.nodeFingerprints(conv, c.First, c.Last)
	if err != nil {
		return nodes, err
	}
	n := Node{ID: fmt.Sprintf("psn_%s-leaf-%d-%d", batch, c.First, c.Last), First: c.First, End: c.Last}
	err = h.Exec(`INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, ordinal_start, ordinal_end,
		source_fingerprint, source_context_hash, prompt_version, model) VALUES (?, ?, ?, 'leaf', ?, ?, ?, ?, 'pending-summary-dag:v1', 'fake')`,
		n.ID, "pcb_"+batch, conv, n.First, n.End, source, place)
	for i, m := range c.Messages {
		if err == nil {
			err = h.Exec("INSERT INTO pending_summary_node_messages (node_id, message_id, ordinal) VALUES (?, ?, ?)", n.ID, m, i)
		}
	}
	return append(nodes, n), err
}

// Claim takes a lease on a node before it is summarised; ok is false where it isn't open.
func (h *Host) Claim(n Node) (claimed Node, ok bool, err error) {
	n.lease = "2999-01-01T00:00:00.000Z"
	err = h.Exec(`UPDATE pending_summary_nodes SET status = 'running', lease_owner = 'engine:fake', lease_expires_at = ?, updated_at = datetime('now')
		WHERE node_id = ? AND status = 'planned'`, n.lease, n.ID)
	var status string
	if err == nil {
		err = h.Read([]any{&status}, "SELECT status FROM pending_summary_nodes WHERE node_id = ?", n.ID)
	}
	return n, status == "running", err
}

// Finish stores a node's text if the lease still holds; whoever comes late is ignored.
func (h *Host) Finish(n Node, text string) error {
	return h.Exec(`UPDATE pending_summary_nodes SET status = 'ready', content = ?, token_count = ?, ready_at = strftime('%Y-%m-%dT%H:%M:%fZ'),
		lease_owner = NULL, lease_expires_at = NULL, updated_at = datetime('now')
		WHERE node_id = ? AND status = 'running' AND lease_owner = 'engine:fake' AND lease_expires_at = ?`,
		text, Estimate(text), n.ID, n.lease)
}

// Check is what the host looks at before it publishes a batch, outside of the transaction
// that does it. A batch that doesn't hold is given up; why is empty for one that does.
func (h *Host) Check(batch string) (why string, err error) {
	var conv, start, end int64
	var hash, status string
	err = h.Read([]any{&conv, &start, &end, &hash, &status}, `SELECT conversation_id, compactable_start_ordinal, compactable_end_ordinal,
		source_projection_fingerprint, status FROM pending_compaction_batches WHERE batch_id = ?`, batch)
	if err != nil {
		return "", err
	}
	items, err := h.context(conv)
	if err != nil {
		return "", err
	}
	got, err := h.rangeFingerprint(conv, start, end)
	switch {
	case err != nil:
		return "", err
	case status != "planning":
		return "the batch is " + status, nil
	case end >= h.tail(items):
		why = "pending batch range is no longer compactable"
	case got != hash:
		why = "source projection fingerprint changed before publish"
	default:
		return "", nil
	}
	return why, h.abandonBatches(conv, why)
}

// abandonBatches makes the open batches of a conversation stale, and their open nodes.
func (h *Host) abandonBatches(conv int64, why string) error {
	return h.Tx(func(*Writer) error {
		err := h.Exec(`UPDATE pending_summary_nodes SET status = 'stale', lease_owner = NULL, lease_expires_at = NULL, updated_at = datetime('now')
			WHERE status IN ('planned', 'running', 'ready', 'failed') AND batch_id IN (SELECT batch_id FROM pending_compaction_batches
				WHERE conversation_id = ? AND status IN ('planning', 'ready', 'publishing'))`, conv)
		if err != nil {
			return err
		}
		return h.Exec(`UPDATE pending_compaction_batches SET status = 'stale', failure_summary = ?, updated_at = datetime('now')
			WHERE conversation_id = ? AND status IN ('planning', 'ready', 'publishing')`, why, conv)
	})
}

// Publish writes a batch into the context: the summaries of its nodes, by their ordinals
// alone. It repeats none of what Check looked at, and fails only where the batch is
// published already or a node isn't ready.
func (h *Host) Publish(batch string) error {
	return h.Tx(func(*Writer) error {
		var conv int64
		var status string
		if err := h.Read([]any{&conv, &status}, "SELECT conversation_id, status FROM pending_compaction_batches WHERE batch_id = ?", batch); err != nil {
			return err
		}
		if status == "published" {
			return nil
		}
		nodes, err := h.ready(batch)
		if err != nil {
			return err
		}
		for i := len(nodes) - 1; i >= 0; i-- { // From the end, so that ordinals keep their meaning.
			if err := h.promote(conv, batch, nodes[i]); err != nil {
				return err
			}
		}
		if err := h.renumber(conv); err != nil {
			return err
		}
		return h.Exec(`UPDATE pending_compaction_batches SET status = 'published', published_at = strftime('%Y-%m-%dT%H:%M:%fZ'),
			updated_at = datetime('now') WHERE batch_id = ?`, batch)
	})
}

// readyNode is a node with what its summary is made from.
type readyNode struct {
	Node
	status, source, content string
}

// ready are the nodes of a batch in order; it fails where one isn't ready.
func (h *Host) ready(batch string) (out []readyNode, err error) {
	err = h.Each(`SELECT node_id, ordinal_start, ordinal_end, status, source_fingerprint, coalesce(content, '') FROM pending_summary_nodes
		WHERE batch_id = ? ORDER BY ordinal_start`, []any{batch}, func(scan func(...any) error) error {
		var n readyNode
		if err := scan(&n.ID, &n.First, &n.End, &n.status, &n.source, &n.content); err != nil {
			return err
		}
		if n.status != "ready" && n.status != "promoted" {
			return fmt.Errorf("%s is %s: %w", n.ID, n.status, ErrNotReady)
		}
		out = append(out, n)
		return nil
	})
	return out, err
}

// promote turns a node into a summary in the place of its ordinals. Hosts of 1.0 note no
// files of the messages.
func (h *Host) promote(conv int64, batch string, n readyNode) error {
	var messages []int64
	err := h.Each("SELECT message_id FROM pending_summary_node_messages WHERE node_id = ? ORDER BY ordinal", []any{n.ID}, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		messages = append(messages, id)
		return err
	})
	if err != nil {
		return err
	}
	id := "sum_" + fingerprint(batch, n.ID, n.source)[:16]
	if _, err := h.Leaf(conv, messages, n.content, SummaryOptions{ID: id, At: time.Now(), NoContext: true, Model: "fake/model"}); err != nil {
		return err
	}
	if err := h.Exec("UPDATE summaries SET file_ids = '[]' WHERE summary_id = ?", id); err != nil {
		return err
	}
	if err := h.replace(conv, n.First, n.End, id); err != nil {
		return err
	}
	return h.Exec(`UPDATE pending_summary_nodes SET status = 'promoted', canonical_summary_id = ?, content = NULL,
		promoted_at = strftime('%Y-%m-%dT%H:%M:%fZ'), updated_at = datetime('now') WHERE node_id = ?`, id, n.ID)
}
