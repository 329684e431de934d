package fakehost

import (
	"errors"
	"fmt"
	"time"
)

// ErrNotReady is the failure with which a publication ends when a node of its batch is
// no longer ready.
var ErrNotReady = errors.New("pending summary node is not ready for publish")

// Check returns what the host looks at before it publishes a batch, outside of the transaction
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
	if err != nil {
		return "", err
	}
	moved, err := h.nodesMoved(batch, conv)
	switch {
	case err != nil:
		return "", err
	case status != "planning":
		return "the batch is " + status, nil
	case end >= h.Config.tail(items):
		why = "pending batch range is no longer compactable"
	case got != hash:
		why = "source projection fingerprint changed before publish"
	case hasGap(items, start, end):
		why = "pending batch source range changed before publish"
	case moved:
		why = "pending batch source changed before publish"
	default:
		return "", nil
	}
	return why, h.makeStale(conv, why)
}

// hasGap reports whether an ordinal of a range has no item.
func hasGap(items []item, start, end int64) bool {
	n := int64(0)
	for _, i := range items {
		if start <= i.ordinal && i.ordinal <= end {
			n++
		}
	}
	return n != end-start+1
}

// nodesMoved reports whether a leaf of a batch stands over other items than it was planned
// for, or a summary that a node condenses no longer stands inside the node's ordinals.
func (h *Host) nodesMoved(batch string, conv int64) (moved bool, err error) {
	err = h.Each(`SELECT ordinal_start, ordinal_end, source_context_hash FROM pending_summary_nodes WHERE batch_id = ? AND kind = 'leaf'
		AND source_context_hash IS NOT NULL`, []any{batch}, func(scan func(...any) error) error {
		var first, last int64
		var was string
		if err := scan(&first, &last, &was); err != nil {
			return err
		}
		_, is, err := h.nodeFingerprints(conv, first, last)
		moved = moved || is != was
		return err
	})
	if err != nil {
		return false, err
	}
	var gone int
	err = h.Read([]any{&gone}, `SELECT count(*) FROM pending_summary_node_children l JOIN pending_summary_nodes n ON n.node_id = l.node_id
		WHERE n.batch_id = ? AND l.child_summary_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM context_items c
			WHERE c.conversation_id = n.conversation_id AND c.summary_id = l.child_summary_id AND c.ordinal BETWEEN n.ordinal_start AND n.ordinal_end)`, batch)
	return moved || gone > 0, err
}

// makeStale makes the open batches of a conversation stale, and their open nodes.
func (h *Host) makeStale(conv int64, why string) error {
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

// Publish writes a batch into the context: the summaries of its widest nodes, and of what
// these condense, by their ordinals alone. It repeats none of what Check looked at, and fails
// only where the batch is gone or published already, or a node isn't ready.
func (h *Host) Publish(batch string) error {
	return h.Tx(func(*Writer) error {
		p := publication{Host: h, batch: batch, nodes: map[string]*readyNode{}}
		var status string
		if err := h.Read([]any{&p.conv, &status}, "SELECT conversation_id, status FROM pending_compaction_batches WHERE batch_id = ?", batch); err != nil {
			return err
		}
		if status == "published" {
			return nil
		}
		frontier, err := p.frontier()
		if err != nil {
			return err
		}
		for i := len(frontier) - 1; i >= 0; i-- { // From the end, so that ordinals keep their meaning.
			n := frontier[i]
			id, err := p.promote(n)
			if err != nil {
				return err
			}
			if err := h.replace(p.conv, n.First, n.End, id); err != nil {
				return err
			}
		}
		if err := h.renumber(p.conv); err != nil {
			return err
		}
		return h.Exec(`UPDATE pending_compaction_batches SET status = 'published', published_at = strftime('%Y-%m-%dT%H:%M:%fZ'),
			updated_at = datetime('now') WHERE batch_id = ?`, batch)
	})
}

// publication is the transaction that publishes a batch.
type publication struct {
	*Host
	batch string
	conv  int64
	nodes map[string]*readyNode
}

// readyNode is a node with what its summary is made from.
type readyNode struct {
	Node
	kind, status, source, content, canonical string
}

// frontier returns the widest nodes of a batch in order of their ordinals; it fails where one
// isn't ready.
func (p *publication) frontier() (out []*readyNode, err error) {
	err = p.Each(`SELECT node_id, kind, ordinal_start, ordinal_end, status, source_fingerprint, coalesce(content, ''), coalesce(canonical_summary_id, '')
		FROM pending_summary_nodes WHERE batch_id = ? ORDER BY ordinal_start, ordinal_end DESC, depth DESC`, []any{p.batch}, func(scan func(...any) error) error {
		n := &readyNode{}
		if err := scan(&n.ID, &n.kind, &n.First, &n.End, &n.status, &n.source, &n.content, &n.canonical); err != nil {
			return err
		}
		p.nodes[n.ID] = n
		if len(out) == 0 || n.First > out[len(out)-1].End {
			out = append(out, n)
		}
		return nil
	})
	for _, n := range out {
		if err == nil && n.status != "ready" && n.status != "promoted" {
			err = fmt.Errorf("%s is %s: %w", n.ID, n.status, ErrNotReady)
		}
	}
	return out, err
}

// promote turns a node into a summary, and first the nodes that it condenses, and returns its
// id. Hosts of 1.0 note no files of the messages.
func (p *publication) promote(n *readyNode) (id string, err error) {
	if n.status == "promoted" {
		return n.canonical, nil
	}
	id = "sum_" + fingerprint(p.batch, n.ID, n.source)[:16]
	opts := SummaryOptions{ID: id, At: time.Now(), NoContext: true, Model: "fake/model"}
	if n.kind == "leaf" {
		messages, err := p.messagesOf(n)
		if err == nil {
			_, err = p.Leaf(p.conv, messages, n.content, opts)
		}
		if err != nil {
			return "", err
		}
	} else {
		children, err := p.children(n)
		if err == nil {
			_, err = p.Condense(p.conv, children, n.content, opts)
		}
		if err != nil {
			return "", err
		}
	}
	if err := p.Exec("UPDATE summaries SET file_ids = '[]' WHERE summary_id = ?", id); err != nil {
		return "", err
	}
	n.status, n.canonical = "promoted", id
	return id, p.Exec(`UPDATE pending_summary_nodes SET status = 'promoted', canonical_summary_id = ?, content = NULL,
		promoted_at = strftime('%Y-%m-%dT%H:%M:%fZ'), updated_at = datetime('now') WHERE node_id = ?`, id, n.ID)
}

// messagesOf returns the messages of a leaf.
func (p *publication) messagesOf(n *readyNode) (out []int64, err error) {
	err = p.Each("SELECT message_id FROM pending_summary_node_messages WHERE node_id = ? ORDER BY ordinal", []any{n.ID}, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		out = append(out, id)
		return err
	})
	return out, err
}

// children returns the summaries that a node condenses; those that are nodes yet are promoted.
func (p *publication) children(n *readyNode) (out []string, err error) {
	var nodes []string
	err = p.Each("SELECT coalesce(child_node_id, ''), coalesce(child_summary_id, '') FROM pending_summary_node_children WHERE node_id = ? ORDER BY ordinal",
		[]any{n.ID}, func(scan func(...any) error) error {
			var node, summary string
			err := scan(&node, &summary)
			nodes, out = append(nodes, node), append(out, summary)
			return err
		})
	for i, id := range nodes {
		if err != nil || id == "" {
			continue
		}
		child := p.nodes[id]
		if child == nil || child.status != "ready" && child.status != "promoted" {
			return nil, fmt.Errorf("%s, a child of %s: %w", id, n.ID, ErrNotReady)
		}
		out[i], err = p.promote(child)
	}
	return out, err
}
