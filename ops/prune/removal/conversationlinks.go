package removal

import (
	"context"
	"errors"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// crossings find the pairs of conversations of which the second refers to rows of the first.
var crossings = []string{
	`SELECT DISTINCT m.conversation_id, s.conversation_id FROM summary_messages l JOIN messages m ON m.message_id = l.message_id
		JOIN summaries s ON s.summary_id = l.summary_id WHERE m.conversation_id <> s.conversation_id`,
	`SELECT DISTINCT p.conversation_id, s.conversation_id FROM summary_parents l JOIN summaries p ON p.summary_id = l.parent_summary_id
		JOIN summaries s ON s.summary_id = l.summary_id WHERE p.conversation_id <> s.conversation_id`,
	`SELECT DISTINCT m.conversation_id, c.conversation_id FROM context_items c JOIN messages m ON m.message_id = c.message_id
		WHERE m.conversation_id <> c.conversation_id`,
	`SELECT DISTINCT s.conversation_id, c.conversation_id FROM context_items c JOIN summaries s ON s.summary_id = c.summary_id
		WHERE s.conversation_id <> c.conversation_id`,
}

// nodeCrossings find the same of the nodes of pending batches.
var nodeCrossings = []string{
	"SELECT DISTINCT m.conversation_id, n.conversation_id FROM " + data.PendingNodeMessageTable + " l JOIN messages m ON m.message_id = l.message_id JOIN " + data.PendingNodeTable + " n ON n.node_id = l.node_id WHERE m.conversation_id <> n.conversation_id",
	"SELECT DISTINCT s.conversation_id, n.conversation_id FROM " + data.PendingNodeChildTable + " l JOIN summaries s ON s.summary_id = l.child_summary_id JOIN " + data.PendingNodeTable + " n ON n.node_id = l.node_id WHERE s.conversation_id <> n.conversation_id",
	"SELECT DISTINCT s.conversation_id, n.conversation_id FROM " + data.PendingNodeTable + " n JOIN summaries s ON s.summary_id = n.canonical_summary_id WHERE s.conversation_id <> n.conversation_id",
}

// References are, by conversation, the other conversations that refer to its messages or
// summaries from their summaries or contexts. Removing it alone would leave links to nothing.
func References(ctx context.Context, db *data.DB) (map[int64][]int64, error) {
	out := map[int64][]int64{}
	for _, query := range queriesOf(db.Schema(), crossings, nodeCrossings) {
		err := db.EachRow(ctx, "read links", query, nil, func(scan data.RowScanner) error {
			var of, by int64
			err := scan((*data.Integer)(&of), (*data.Integer)(&by))
			if !slices.Contains(out[of], by) {
				out[of] = append(out[of], by)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// errReferences says that conversations can't be removed one after the other.
var errReferences = errors.New("conversations that would be removed refer to each other, or others refer to them")

// inOrder sorts conversations so that those that refer to others come before these.
func inOrder(ctx context.Context, db *data.DB, guards []change.ConversationGuard) ([]change.ConversationGuard, error) {
	by, err := References(ctx, db)
	if err != nil {
		return nil, err
	}
	out := make([]change.ConversationGuard, 0, len(guards))
	done := map[int64]bool{}
	for left := guards; len(left) > 0; {
		var waiting []change.ConversationGuard
		for _, g := range left {
			if slices.ContainsFunc(by[g.Conversation], func(id int64) bool { return !done[id] }) {
				waiting = append(waiting, g)
				continue
			}
			done[g.Conversation] = true
			out = append(out, g)
		}
		if len(waiting) == len(left) {
			return nil, errReferences
		}
		left = waiting
	}
	return out, nil
}
