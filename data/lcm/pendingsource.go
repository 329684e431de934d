package lcm

import (
	"cmp"
	"context"

	"lcm-tui/data"
	"lcm-tui/internal/sorting"
)

// PendingSources are what a pending node is made of.
type PendingSources struct {
	Messages []PendingMessage // By ordinal; of a leaf.
	Children []PendingChild   // By ordinal; of a condensed node.
}

// PendingMessage is a row of pending_summary_node_messages: a message that a node covers.
type PendingMessage struct {
	Node    string
	Message int64
	Ordinal int64
	Owner   int64 // The conversation of the message; 0 where the message doesn't exist.
}

// PendingChild is a row of pending_summary_node_children: another node, or a summary, that a
// node is made of.
type PendingChild struct {
	Node         string
	Ordinal      int64
	ChildNode    string // Or empty.
	ChildSummary string // Or empty.
	Missing      bool   // Neither the node nor the summary exists.
}

// ReadPendingSources returns the sources of the nodes of the selected batches, by node.
func ReadPendingSources(ctx context.Context, db data.Querier, of PendingSelection) (map[string]*PendingSources, error) {
	out := map[string]*PendingSources{}
	source := func(node string) *PendingSources {
		if out[node] == nil {
			out[node] = &PendingSources{}
		}
		return out[node]
	}
	messages, err := pendingMessages(ctx, db, of)
	for _, m := range messages {
		s := source(m.Node)
		s.Messages = append(s.Messages, m)
	}
	if err != nil {
		return out, err
	}
	children, err := pendingChildren(ctx, db, of)
	for _, c := range children {
		s := source(c.Node)
		s.Children = append(s.Children, c)
	}
	for _, s := range out {
		sorting.Stable(s.Messages, func(a, b *PendingMessage) int {
			return cmp.Or(cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.Message, b.Message))
		})
		sorting.Stable(s.Children, func(a, b *PendingChild) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
	}
	return out, err
}

func pendingMessages(ctx context.Context, db data.Querier, of PendingSelection) ([]PendingMessage, error) {
	s := db.Schema()
	if !s.Has(data.PendingNodeMessageTable, "node_id", "message_id") || !of.hasLinks(s) {
		return nil, nil
	}
	owner, join := "0", ""
	if s.HasCore("messages") {
		owner, join = "m.conversation_id", " LEFT JOIN messages m ON m.message_id = l.message_id"
	}
	from, args := of.links(s, data.PendingNodeMessageTable)
	query := "SELECT l.node_id, l.message_id, " + s.Expr(data.PendingNodeMessageTable, "l", "ordinal", "0") + ", " + owner + from[0] + join + from[1]
	return data.Collect(ctx, db, "read sources of pending nodes", query, args, func(scan data.RowScanner, m *PendingMessage) error {
		return scan((*data.Word)(&m.Node), (*data.Integer)(&m.Message), (*data.Integer)(&m.Ordinal), (*data.Integer)(&m.Owner))
	})
}

func pendingChildren(ctx context.Context, db data.Querier, of PendingSelection) ([]PendingChild, error) {
	s := db.Schema()
	if !s.Has(data.PendingNodeChildTable, "node_id") || !of.hasLinks(s) {
		return nil, nil
	}
	node, summary, join := "NULL", "NULL", ""
	if s.Has(data.PendingNodeChildTable, "child_node_id") && s.Has(data.PendingNodeTable, "node_id") {
		node, join = "k.node_id", " LEFT JOIN "+data.PendingNodeTable+" k ON k.node_id = l.child_node_id"
	}
	if s.Has(data.PendingNodeChildTable, "child_summary_id") && s.HasCore("summaries") {
		summary, join = "s.summary_id", join+" LEFT JOIN summaries s ON s.summary_id = l.child_summary_id"
	}
	from, args := of.links(s, data.PendingNodeChildTable)
	query := "SELECT " + s.Stored(data.PendingNodeChildTable, "l", "node_id ordinal child_node_id child_summary_id") +
		", coalesce(" + node + ", " + summary + ") IS NULL" + from[0] + join + from[1]
	return data.Collect(ctx, db, "read sources of pending nodes", query, args, func(scan data.RowScanner, c *PendingChild) error {
		return scan((*data.Word)(&c.Node), (*data.Integer)(&c.Ordinal), (*data.Text)(&c.ChildNode), (*data.Text)(&c.ChildSummary), &c.Missing)
	})
}

// hasLinks reports whether the file can tell which links belong to the selected batches.
func (p PendingSelection) hasLinks(s *data.Schema) bool {
	return p == (PendingSelection{}) || s.Has(data.PendingNodeTable, "node_id", "batch_id") && s.Has(data.PendingBatchTable, "batch_id")
}

// links returns the part of a query that selects the links l of a table: what follows FROM, and
// what follows further joins.
func (p PendingSelection) links(s *data.Schema, table string) (from [2]string, args []any) {
	if p == (PendingSelection{}) {
		return [2]string{" FROM " + table + " l", ""}, nil
	}
	where, args := p.condition(s)
	from[0] = " FROM " + data.PendingBatchTable + " b CROSS JOIN " + data.PendingNodeTable + " n ON n.batch_id = b.batch_id CROSS JOIN " + table + " l ON l.node_id = n.node_id"
	from[1] = " WHERE " + where
	return from, args
}
