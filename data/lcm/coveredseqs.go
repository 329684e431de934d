package lcm

import (
	"context"

	"lcm-tui/data"
)

// UncoveredSeqs returns the seqs of the conversation's messages that are neither in its
// context nor under any summary. Pruning and /new leave such messages rightly;
// the notes that hosts up to 0.6 kept of their compactions are left out.
func UncoveredSeqs(ctx context.Context, db data.Querier, conv int64) ([]int64, error) {
	s := db.Schema()
	if !s.Has("context_items") || !s.Has("messages") || !s.Has("summary_messages") || !s.Has("summaries") {
		return nil, nil
	}
	const query = `SELECT m.seq FROM messages m WHERE m.conversation_id = ?1
		AND m.message_id NOT IN (SELECT message_id FROM context_items WHERE conversation_id = ?1 AND message_id IS NOT NULL)
		AND m.message_id NOT IN (SELECT l.message_id FROM summaries s CROSS JOIN summary_messages l ON l.summary_id = s.summary_id
			WHERE s.conversation_id = ?1)
		AND NOT (m.role = 'system' AND m.content LIKE 'LCM compaction % pass (%') ORDER BY m.seq`
	return data.Collect(ctx, db, "read coverage", query, []any{conv}, func(scan data.RowScanner, seq *int64) error {
		return scan((*data.Integer)(seq))
	})
}

// ContextSeqs returns the seqs of the messages in a context.
func ContextSeqs(ctx context.Context, db data.Querier, conv int64) ([]int64, error) {
	if !db.Schema().Has("context_items") || !db.Schema().Has("messages") {
		return nil, nil
	}
	const query = `SELECT m.seq FROM context_items ci CROSS JOIN messages m ON m.message_id = ci.message_id WHERE ci.conversation_id = ? ORDER BY ci.ordinal`
	return data.Collect(ctx, db, "read context", query, []any{conv}, func(scan data.RowScanner, seq *int64) error {
		return scan((*data.Integer)(seq))
	})
}

// NewestSeqs are, for the summaries in a context, the highest seq of a message
// under each; a summary with no message under it is left out.
func NewestSeqs(ctx context.Context, db data.Querier, conv int64) (map[string]int64, error) {
	s, out := db.Schema(), map[string]int64{}
	if !s.Has("context_items") || !s.Has("messages") || !s.Has("summary_messages") || !s.Has("summary_parents") {
		return out, nil
	}
	const query = `WITH RECURSIVE under(top, id) AS (
		SELECT summary_id, summary_id FROM context_items WHERE conversation_id = ? AND summary_id IS NOT NULL
		UNION SELECT u.top, p.parent_summary_id FROM under u CROSS JOIN summary_parents p ON p.summary_id = u.id)
		SELECT u.top, max(m.seq) FROM under u CROSS JOIN summary_messages l ON l.summary_id = u.id
		CROSS JOIN messages m ON m.message_id = l.message_id GROUP BY u.top`
	err := data.Each(ctx, db, "read coverage", query, []any{conv}, func(scan data.RowScanner) error {
		var id data.Text
		var seq data.Integer
		err := scan(&id, &seq)
		out[string(id)] = int64(seq)
		return err
	})
	return out, err
}
