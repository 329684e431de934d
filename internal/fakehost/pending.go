package fakehost

import (
	"fmt"
	"strings"
)

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
	tail := h.Config.tail(items)
	chunks := h.Config.chunks(items, tail)
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

// chunks returns the leaves of a plan. What is too small for one is summarised only where a
// full one follows.
func (c *Config) chunks(items []item, tail int64) (out []Choice) {
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
		if sum >= c.LeafChunkTokens {
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

// PlanCondensed adds a condensed node of a batch over nodes that stand side by side. Its text
// is made like theirs.
func (h *Host) PlanCondensed(batch string, children []Node) (n Node, err error) {
	var conv int64
	if err := h.Read([]any{&conv}, "SELECT conversation_id FROM pending_compaction_batches WHERE batch_id = ?", batch); err != nil {
		return n, err
	}
	first, last := children[0].First, children[len(children)-1].End
	source, place, err := h.nodeFingerprints(conv, first, last)
	if err != nil {
		return n, err
	}
	n = Node{ID: fmt.Sprintf("psn_%s-condensed-d1-%d-%d", strings.TrimPrefix(batch, "pcb_"), first, last), First: first, End: last}
	err = h.Exec(`INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, depth, ordinal_start, ordinal_end,
		source_fingerprint, source_context_hash, prompt_version, model) VALUES (?, ?, ?, 'condensed', 1, ?, ?, ?, ?, 'pending-summary-dag:v1', 'fake')`,
		n.ID, batch, conv, first, last, source, place)
	for i, c := range children {
		if err == nil {
			err = h.Exec("INSERT INTO pending_summary_node_children (node_id, ordinal, child_node_id) VALUES (?, ?, ?)", n.ID, i, c.ID)
		}
	}
	return n, err
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
